"""A real browser without a screen, driven by its keyboard. What it asks of any other host is a failure."""

from contextlib import contextmanager

from playwright.sync_api import sync_playwright

from tests.peers import require

ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
SIZES = {"wide": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


@contextmanager
def browsing(base, *, size="wide", scheme="light", expected=(), **options):
    """Yield a page of a browser at ``base``; afterwards nothing of it may have failed or left the host.

    Errors on its console that hold one of the texts ``expected`` are what the test is about.
    """
    trouble = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=require("chromium"), args=ARGUMENTS)
        context = browser.new_context(
            base_url=base, viewport=SIZES[size], color_scheme=scheme, accept_downloads=True, **options
        )
        page = context.new_page()
        page.on("pageerror", lambda error: trouble.append(str(error)))
        page.on("console", lambda said: trouble.append(said.text) if said.type == "error" else None)
        page.on("dialog", lambda dialog: trouble.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                trouble.append(request.url) if not request.url.startswith((base.rstrip("/"), "data:")) else None
            ),
        )
        try:
            yield page
        finally:
            browser.close()
    unexpected = [said for said in trouble if not any(each in said for each in expected)]
    assert not unexpected, unexpected


def press_to(page, name, *, leads=True, most=400):
    """Press Tab until the focus is on a link or button whose text begins with ``name``; then press Enter.

    Where that ``leads`` to another page, return when it is there.
    """
    for _ in range(most):
        page.keyboard.press("Tab")
        if (page.evaluate("document.activeElement.innerText || document.activeElement.value || ''")).startswith(name):
            if not leads:
                page.keyboard.press("Enter")
                return
            with page.expect_navigation(wait_until="networkidle"):
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"no {name!r} within {most} tabs of {page.url}")
