// Draws timelines. What the agent sends is data: it becomes numbers and text nodes, never markup.
"use strict";

(() => {
  const HEIGHT = 280;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const seconds = (time) => Date.parse(time) / 1000;
  const short = (value) => (value === null || value === undefined ? "none" : String(Number(value.toPrecision(3))));

  const lasting = (length) => {
    const [unit, name] = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]].find(([unit]) => length % unit === 0);
    return `${length / unit} ${name}`;
  };

  // What cannot be seen is written out, as in the rest of a page: a mark of direction would turn the words around it.
  const seen = (text) => {
    const shown = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (mark) => `\\u${mark.codePointAt(0).toString(16).padStart(4, "0")}`);
    return shown.length > 40 ? `${shown.slice(0, 37)}...` : shown;
  };

  // Written as clocks of servers write it: the day where a day is the step or begins, else the time.
  const time = (at) => new Date(at * 1000).toISOString();
  const ticks = (plot, places, index, space, step) => places.map((at, place) => {
    const day = time(at).slice(5, 10);
    const clock = time(at).slice(11, step < 60 ? 19 : 16);
    const begins = place === 0 || day !== time(places[place - 1]).slice(5, 10);
    return step >= 86400 ? day : begins ? `${clock}\n${day}` : clock;
  });

  // The newest changes, each once: one that reaches two services is one release.
  const version = (name) => (name === null ? "another version" : /^[0-9a-f]{12,}$/.test(name) ? `checksum ${name.slice(0, 8)}` : seen(name));
  const newest = (changes) => [...new Set(changes.map((change) => `${seen(change.component)} to ${version(change.version)}`))].slice(-5).join(", ");

  function caption(figure, body) {
    const count = body.points.reduce((sum, point) => sum + point.answers, 0);
    const parts = [`${count.toLocaleString("en")} answer${count === 1 ? "" : "s"}, one point for each ${lasting(body.seconds)} that has any; ${body.better} is better.`];
    if (body.limit !== null) parts.push(`Limit ${short(body.limit)}.`);
    if (body.reference !== null && body.reference !== body.limit) parts.push(`Held against ${short(body.reference)}.`);
    if (body.lower !== null && body.upper !== null) parts.push(`The band is the gate's estimate now: ${short(body.lower)} to ${short(body.upper)}.`);
    if (body.changes.length) parts.push(`Dashed lines are changes: ${newest(body.changes)}.`);
    if (body.alarmed_at) parts.push("The solid vertical line is the alarm.");
    if (body.partial) parts.push("Older answers are not shown.");
    figure.querySelector("figcaption").textContent = parts.join(" ");
  }

  function table(figure, body) {
    const rows = body.points.map((point) => {
      const row = document.createElement("tr");
      for (const value of [point.at, point.answers.toLocaleString("en"), short(point.mean)]) {
        const cell = document.createElement("td");
        cell.textContent = value;
        row.append(cell);
      }
      return row;
    });
    figure.querySelector(".points tbody").replaceChildren(...rows);
  }

  function marks(body) {
    const line = (plot, at, dash, name) => {
      const x = plot.valToPos(at, "x", true);
      if (x < plot.bbox.left || x > plot.bbox.left + plot.bbox.width) return;
      plot.ctx.strokeStyle = colour(name);
      plot.ctx.setLineDash(dash);
      plot.ctx.beginPath();
      plot.ctx.moveTo(x, plot.bbox.top);
      plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
      plot.ctx.stroke();
    };
    return (plot) => {
      plot.ctx.save();
      plot.ctx.lineWidth = devicePixelRatio;
      for (const change of body.changes) line(plot, seconds(change.at), [4, 4], "--dim");
      if (body.alarmed_at) line(plot, seconds(body.alarmed_at), [], "--fail");
      if (body.lower !== null && body.upper !== null) {
        const top = plot.valToPos(body.upper, "y", true);
        plot.ctx.fillStyle = colour("--band");
        plot.ctx.fillRect(plot.bbox.left, top, plot.bbox.width, plot.valToPos(body.lower, "y", true) - top);
      }
      plot.ctx.restore();
    };
  }

  function draw(figure, body) {
    const at = body.points.map((point) => seconds(point.at));
    const flat = (value) => at.map(() => value);
    const series = [
      { label: "time", value: (plot, at) => (at === null ? "--" : `${time(at).slice(0, 19).replace("T", " ")} UTC`) }, { label: body.judged, stroke: colour("--plot"), width: 2, points: { size: 6 } }];
    const data = [at, body.points.map((point) => point.mean)];
    for (const [label, value, name, dash] of [["limit", body.limit, "--limit", []], ["held against", body.reference, "--dim", [6, 4]]]) {
      if (value === null || (label === "held against" && value === body.limit)) continue;
      series.push({ label, stroke: colour(name), dash, width: 1.5, points: { show: false } });
      data.push(flat(value));
    }
    const place = figure.querySelector(".plot");
    const axis = { stroke: colour("--dim"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line") } };
    const range = (plot, low, high) => {
      const ends = [low, high, body.lower, body.upper].filter((value) => value !== null && Number.isFinite(value));
      const [least, most] = [Math.min(...ends), Math.max(...ends)];
      // Less than a hundredth of the value is not told apart: means of equal values differ by the last bit.
      const room = Math.max((most - least) * 0.08, (Math.max(Math.abs(least), Math.abs(most)) || 1) * 0.005);
      return [least - room, most + room];
    };
    place.replaceChildren();
    const plot = new uPlot({
      width: Math.max(280, place.clientWidth), height: HEIGHT, tzDate: (time) => uPlot.tzDate(new Date(time * 1000), "UTC"),
      series, axes: [{ ...axis, values: ticks, space: 70 }, { ...axis, size: 60 }], scales: { y: { range } }, hooks: { draw: [marks(body)] },
    }, data, place);
    // Until a pointer is over the chart, the newest point is read out: uPlot clears it after each of these.
    const latest = () => setTimeout(() => plot.setLegend({ idx: at.length - 1 }));
    plot.over.addEventListener("mouseleave", latest);
    latest();
    new ResizeObserver(() => {
      plot.setSize({ width: Math.max(280, place.clientWidth), height: HEIGHT });
      latest();
    }).observe(place);
    return plot;
  }

  function save(plot, name) {
    const picture = document.createElement("canvas");
    picture.width = plot.ctx.canvas.width;
    picture.height = plot.ctx.canvas.height;
    const context = picture.getContext("2d");
    context.fillStyle = colour("--back");
    context.fillRect(0, 0, picture.width, picture.height);
    context.drawImage(plot.ctx.canvas, 0, 0);
    const anchor = document.createElement("a");
    anchor.href = picture.toDataURL("image/png");
    anchor.download = `${name}.png`;
    anchor.click();
  }

  async function show(figure) {
    const note = figure.querySelector("figcaption");
    try {
      const reply = await fetch(figure.dataset.timeline, { headers: { Accept: "application/json" } });
      const body = await reply.json();
      if (!reply.ok) throw new Error(body.error);
      if (!body.points.length) {
        note.textContent = "No answer of this time has a value. Choose a longer time.";
        return;
      }
      caption(figure, body);
      table(figure, body);
      const plot = draw(figure, body);
      figure.querySelector(".png").addEventListener("click", () => save(plot, figure.dataset.name));
      figure.dataset.drawn = "yes";
    } catch (error) {
      note.textContent = `The timeline could not be loaded: ${error.message}. Load the page again.`;
    }
  }

  // An empty field of a form asks for nothing, and an address without it is easier to read.
  document.addEventListener("submit", (event) => {
    for (const field of event.target.querySelectorAll("input, select")) if (!field.value) field.disabled = true;
  });
  // On a phone rows are cards, in which each value stands beside the name of its column.
  function named(root) {
    for (const table of root.querySelectorAll(".scroll table:not(.scores, .points)")) {
      const names = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim().replace(/\s+/g, " "));
      for (const row of table.querySelectorAll("tbody tr")) {
        [...row.cells].forEach((cell, place) => {
          if (!cell.textContent.trim()) cell.replaceChildren();
          else if (cell.tagName === "TD" && names[place] && !cell.classList.contains("said")) cell.dataset.column = names[place];
        });
      }
      table.classList.add("named");
    }
  }

  for (const figure of document.querySelectorAll("[data-timeline]")) show(figure);
  named(document);
  document.addEventListener("htmx:after:swap", () => named(document));
})();
