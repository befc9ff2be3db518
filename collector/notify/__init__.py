"""Notifiers: decisions go to whoever has to know. One kind, one file, and one line here."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from collector.notify.alertmanager import AlertmanagerNotifier
from collector.notify.base import NotifierOptions
from collector.notify.cdevents import CdeventsNotifier
from collector.notify.webhook import WebhookNotifier

NOTIFIERS: tuple[type[NotifierOptions], ...] = (AlertmanagerNotifier, WebhookNotifier, CdeventsNotifier)
"""Every kind of notifier there is."""

AnyNotifier = Annotated[AlertmanagerNotifier | WebhookNotifier | CdeventsNotifier, Field(discriminator="type")]
"""What a notifier in a configuration file may be."""
