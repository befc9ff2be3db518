// Takes the label of one packet: by keyboard alone, kept as it is chosen, and timed while somebody looks.
"use strict";

(() => {
  const heading = document.querySelector("h1");
  if (heading) heading.focus({ preventScroll: true });
  const form = document.getElementById("label");
  if (!form) return;

  const IDLE = 60; // seconds without a key, a move or a scroll, after which nobody is counted as looking
  const WAIT = 400; // milliseconds without a key, after which a text is kept
  const problem = document.getElementById("problem");
  const kept = document.getElementById("kept");
  const fields = [...form.querySelectorAll("fieldset")];
  let seconds = Number(form.dataset.seconds) || 0;
  let active = performance.now();
  let saving = false;
  let timer = 0;
  let before = Promise.resolve();

  for (const name of ["keydown", "pointermove", "scroll", "touchstart"]) addEventListener(name, () => { active = performance.now(); }, { passive: true });
  setInterval(() => {
    if (document.visibilityState === "visible" && performance.now() - active < IDLE * 1000) seconds += 1;
  }, 1000);

  const chosen = (name) => form.querySelector(`input[name="${name}"]:checked`)?.value ?? "";
  const choices = () => {
    const given = {};
    for (const input of form.querySelectorAll("input[type=radio]:checked")) if (!input.closest("[hidden]")) given[input.name] = input.value;
    const more = [...form.querySelectorAll("input[name=secondary]:checked")];
    if (more.length && !more[0].closest("[hidden]")) given.secondary = more.map((input) => input.value);
    const text = form.elements.rationale.value;
    if (text) given.rationale = text;
    return { packet: form.dataset.packet, seconds: Math.min(seconds, 86400), given };
  };
  const send = (path, options = {}) => fetch(path, {
    method: "POST", credentials: "same-origin", headers: { "Content-Type": "application/json" }, body: JSON.stringify(choices()), ...options,
  });

  // An answer that is acceptable has no category of failure, and one that is not needs one.
  function shape() {
    const bad = chosen("acceptability") === "unacceptable";
    for (const field of form.querySelectorAll(".failure")) field.hidden = !bad;
    const must = chosen("safety_boundary") === "severe" || (form.dataset.conflict && chosen("acceptability") === "acceptable");
    form.elements.rationale.required = Boolean(must);
  }

  // One after the other: a choice that was made later is kept last.
  function keep(options) {
    clearTimeout(timer);
    if (!saving) before = before.then(() => keepNow(options));
  }

  async function keepNow(options) {
    if (saving) return;
    try {
      const reply = await send(form.dataset.draft, options);
      kept.textContent = reply.ok ? "What you chose so far is kept." : "";
      if (reply.status === 401) say("You are no longer signed in. Open your link again: what was kept is still there.");
    } catch {
      kept.textContent = "Not kept: the server cannot be reached.";
    }
  }

  function say(text) {
    problem.textContent = text.replaceAll("_", " ");
    const named = text.match(/([a-z_]+): /g)?.map((each) => each.slice(0, -2)).find((name) => form.elements[name]);
    const place = named && form.elements[named];
    const target = place && (place instanceof RadioNodeList ? [...place].find((each) => each.checked) ?? place[0] : place);
    if (target) target.focus();
  }

  async function save() {
    if (saving) return;
    const missing = fields.find((field) => !field.hidden && field.querySelector("input[type=radio]") && !field.querySelector("input:checked"));
    if (missing) {
      problem.textContent = `Choose a level: ${missing.querySelector("legend").firstChild.textContent.trim()}.`;
      missing.querySelector("input").focus();
      return;
    }
    clearTimeout(timer);
    saving = true;
    problem.textContent = "";
    await before;
    try {
      const reply = await send(form.dataset.label);
      // 409: an earlier try was taken, and its answer did not come back.
      if (reply.ok || reply.status === 409) {
        location.reload();
        return;
      }
      const body = await reply.json();
      say(reply.status === 401 ? body.error : body.error.replace(/^packet [0-9a-f]+: /, ""));
    } catch {
      problem.textContent = "Not saved: the server cannot be reached. Your choices stay here; save again when it is back.";
    }
    saving = false;
  }

  function next(field) {
    const rest = fields.slice(fields.indexOf(field) + 1).filter((each) => !each.hidden && each.querySelector("input[type=radio]"));
    const place = rest.length ? rest[0].querySelector("input:checked") ?? rest[0].querySelector("input") : form.elements.rationale;
    place.focus();
  }

  form.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      save();
      return;
    }
    const field = event.target.closest("fieldset");
    if (!field || event.ctrlKey || event.metaKey || event.altKey || !/^[1-9]$/.test(event.key)) return;
    const input = field.querySelectorAll("input")[Number(event.key) - 1];
    if (!input) return;
    event.preventDefault();
    input.click();
    input.focus();
    if (input.type === "radio") next(field);
  });
  form.addEventListener("change", (event) => {
    if (event.target.name === "secondary") {
      const more = [...form.querySelectorAll("input[name=secondary]:checked")];
      if (more.length > 2) {
        event.target.checked = false;
        problem.textContent = "At most two secondary categories.";
      }
    }
    shape();
    keep();
  });
  form.elements.rationale.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => keep(), WAIT);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keep({ keepalive: true });
  });
  shape();
  form.dataset.ready = "yes";
})();
