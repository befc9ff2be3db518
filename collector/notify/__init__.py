"""Notifiers: decisions go to whoever has to know. One kind, one file, and one line here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Union

from pydantic import Field

from collector.notify.alertmanager import AlertmanagerNotifier
from collector.notify.base import NotifierOptions
from collector.notify.cdevents import CdeventsNotifier
from collector.notify.webhook import WebhookNotifier

NOTIFIERS: tuple[type[NotifierOptions], ...] = (AlertmanagerNotifier, WebhookNotifier, CdeventsNotifier)
"""Every kind of notifier there is."""

if TYPE_CHECKING:
    AnyNotifier = NotifierOptions
else:
    AnyNotifier = Annotated[Union[NOTIFIERS], Field(discriminator="type")]  # noqa: UP007 - the union of a tuple
"""What a notifier in a configuration file may be: told apart by ``type``."""
