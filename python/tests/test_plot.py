"""Pictures, compared by their structure: panels, bars, names and values."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import halfgate as hg
import halfgate.plot as plot
from halfgate.plot import board, catalogue, reading, sessions, style
from halfgate.plot.__main__ import main

HEAD = {"machine": "a computer, 2 cores", "commit": "0123456789ab", "date": "2026-11-27T00:00:00Z"}


def figure(
    name: str, unit: str, published: float | None, measured: float | None, **more: Any
) -> Any:
    return {"name": name, "unit": unit, "published": published, "measured": measured, **more}


def record(folder: Path, name: str, *rows: Any) -> None:
    (folder / f"{name}.json").write_text(json.dumps({**HEAD, "results": rows}))


def printed(folder: Path, name: str, part: str, *rows: Any, **more: Any) -> None:
    entry = {"name": part, "title": "a title", "figures": rows, "notes": ["a note"]}
    (folder / f"{name}.json").write_text(
        json.dumps({**HEAD, "quick": False, "parts": [entry], "targets": [], **more})
    )


def bars(axes: Any) -> dict[str, list[float]]:
    """The lengths of the bars of each series."""
    return {
        container.get_label(): [
            (
                float(max(bar.get_width(), bar.get_height(), key=lambda x: abs(x - 0.38)))
                if container.orientation == "horizontal"
                else float(bar.get_height())
            )
            for bar in container
        ]
        for container in axes.containers
    }


def names(axes: Any, axis: str = "y") -> list[str]:
    return [label.get_text() for label in getattr(axes, f"get_{axis}ticklabels")()]


def caption(made: plot.Picture) -> str:
    return str(made._supxlabel.get_text())  # type: ignore[attr-defined]


def test_published_and_measured_values_are_side_by_side(tmp_path: Path) -> None:
    record(
        tmp_path,
        "mobile",
        figure("AND", "cycles", 247, 50, part="gates", note="no verdict: another suite"),
        figure("XOR", "cycles", 26, None, part="gates", note="no board"),
        figure("link", "bytes", 55, 37, part="gates"),
        figure("ours alone", "cycles", None, 4, part="gates"),
    )
    drawn = plot.records(tmp_path, only=["mobile"])
    assert list(drawn.pictures) == ["mobile-gates"]
    made = drawn.pictures["mobile-gates"]
    cycles, sizes = made.axes
    assert bars(cycles) == {"published": [247, 26], "measured": [50]}
    assert names(cycles) == ["AND\N{NO-BREAK SPACE}†", "XOR"]
    assert cycles.get_xlabel() == "cycles" and sizes.get_xlabel() == "bytes"
    texts = [text.get_text() for text in cycles.texts]
    assert texts == ["247", "50  (0.202 × published)", "26", "not measured"]
    assert "another suite" in caption(made) and "0123456789ab" in caption(made)
    assert "mobile-gates: not measured: XOR (no board)" in drawn.missing
    assert any(line.startswith("mobile-time: not drawn") for line in drawn.missing)


def test_reasons_that_differ_in_numbers_are_one(tmp_path: Path) -> None:
    notes = [f"no verdict: another i7-10700K; {rate} M AND/s" for rate in ("1.01", "1.36")]
    rows = [
        figure(f"speed-up {place}", "x", 589, 12, part="headlines", note=note)
        for place, note in enumerate(notes)
    ]
    record(tmp_path, "haac", *rows)
    made = plot.records(tmp_path, only=["haac"]).pictures["haac-headlines"]
    assert caption(made).startswith("† No verdict: another i7-10700K; … M AND/s.\n")
    (axes,) = made.axes
    made.canvas.draw()
    assert "1,000" in names(axes, "x")


def test_figures_that_no_record_has_are_named(tmp_path: Path) -> None:
    record(tmp_path, "haac", figure("a", "times", 589, 12, part="headlines"))
    drawn = plot.records(tmp_path, only=["haac-figure8", "haac-headlines"])
    assert list(drawn.pictures) == ["haac-headlines"]
    (line,) = drawn.missing
    assert line.startswith("haac-figure8: not drawn: records have only targets")
    assert "halfgate reproduce haac --only figure8 --json > FOLDER/haac-figure8.json" in line


def test_figure_6_prefers_the_papers_circuits(tmp_path: Path) -> None:
    passes = ["baseline", "reorder, rename", "reorder, rename, spent wires"]
    rows = [
        figure(f"{program}, {name}", "times", None, value + place)
        for program, value in (("DotProd", 17), ("Hamm", 40), ("Hamm as published", 20))
        for place, name in enumerate(passes)
    ]
    rows.append(figure("gain of spent wires, mean, circuits as published", "times", 2.1, 1.3))
    rows.append(figure("gain of spent wires, mean", "times", 2.1, 1.2))
    printed(tmp_path, "haac-figures", "figure6", *rows)
    made = plot.records(tmp_path, only=["haac-figure6"]).pictures["haac-figure6"]
    top, pairs = made.axes
    assert names(top, "x") == ["DotProd", "Hamm"]
    assert bars(top) == {name: [17 + place, 20 + place] for place, name in enumerate(passes)}
    assert top.get_ylabel().startswith("speed-up over our CPU engine")
    assert bars(pairs) == {"published": [2.1], "measured": [1.3]}
    assert "A note." in caption(made)


def test_figures_7_to_10(tmp_path: Path) -> None:
    def drawn(part: str, *rows: Any) -> plot.Picture:
        printed(tmp_path, "haac-figures", part, *rows)
        return plot.records(tmp_path, only=[f"haac-{part}"]).pictures[f"haac-{part}"]

    sides = [
        figure(f"MatMult, full, {window} MB, {side}", "us", None, 1.0 + window)
        for window in (1, 2)
        for side in ("compute", "wires")
    ]
    made = drawn(
        "figure7", *sides, figure("MatMult, compute of baseline over full", "times", 48.8, 9)
    )
    panel = next(axes for axes in made.axes if axes.get_title(loc="left") == "MatMult")
    assert bars(panel) == {"compute": [2, 3], "wires": [2, 3]} and "µs" in panel.get_ylabel()

    engines = [
        figure(f"ReLU, {count} engines, {memory}", "times", None, 10.0 * count)
        for count in (1, 2, 16)
        for memory in ("ddr4", "hbm2")
    ]
    mean = figure("mean, 16 engines, DDR4, over EMP's rate", "times", 589, 8)
    panels = {axes.get_title(loc="left"): axes for axes in drawn("figure8", *engines, mean).axes}
    (line,) = panels["HBM2"].lines
    assert line.get_label() == "ReLU" and np.asarray(line.get_ydata()).tolist() == [10, 20, 160]
    assert names(panels["DDR4"], "x") == ["1", "2", "16"]

    shares = [figure("ReLU, half gates", "%", None, 90), figure("ReLU, window", "%", None, 10)]
    top = drawn("figure9", *shares, figure("half gates, mean", "%", 61, 90)).axes[0]
    assert bars(top)["half gates"] == [90] and bars(top)["window"] == [10]

    slow = [figure(f"ReLU, {name}", "times", None, 5) for name in ("CPU", "DDR4", "HBM2")]
    top = drawn("figure10", *slow, figure("mean, HBM2", "times", 76, 60)).axes[0]
    assert bars(top) == {"CPU": [5], "DDR4": [5], "HBM2": [5]}


def test_table_3_of_fase_takes_clocks_of_records_from_their_notes(tmp_path: Path) -> None:
    note = "250 clocks; Table 3 has 252; 1 clocks a free gate; no verdict: fitted"
    record(
        tmp_path,
        "fase",
        figure(
            "Mill_8_8, paper, 2 pipelines: off Table 3", "%", None, 0.8, part="table3", note=note
        ),
    )
    (axes,) = plot.records(tmp_path, only=["fase-table3"]).pictures["fase-table3"].axes
    assert bars(axes) == {"published, 2 pipelines": [252], "our model of it, 2 pipelines": [250]}
    printed(
        tmp_path,
        "fase-figures",
        "table3",
        figure("AES, paper, 1 pipeline", "clocks", 84044, 60000),
        figure("AES, best, 2 pipelines", "clocks", None, 20000),
        figure("AES, paper, 1 pipeline, our order", "clocks", None, 1),
    )
    ours, public = plot.records(tmp_path, only=["fase-table3"]).pictures["fase-table3"].axes
    assert bars(ours) == {
        "published, 1 pipeline": [84044],
        "our model of it, 1 pipeline": [60000],
        "our machine, 2 pipelines": [20000],
    }
    assert names(public, "x") == ["Mill_\n8_8"]


def test_instruction_sets_have_a_panel_each(tmp_path: Path) -> None:
    start = "clocks a non-XOR gate, "
    rows = [
        figure(f"{name}, {words} words, {start}{count}", "clocks", 1.1, 1.0, part="table4")
        for name in ("PSI set", "full set")
        for words in (32, 64)
        for count in ("one pipeline", "four pipelines")
    ]
    record(tmp_path, "garbledcpu", *rows)
    made = plot.records(tmp_path, only=["garbledcpu-table4"]).pictures["garbledcpu-table4"]
    assert [axes.get_title(loc="left") for axes in made.axes[:2]] == ["PSI set", "full set"]
    assert names(made.axes[0], "x") == ["32", "64"] and len(bars(made.axes[0])) == 3


def test_times_of_sifo(tmp_path: Path) -> None:
    printed(
        tmp_path,
        "overlay",
        "table11",
        figure("6-bit adder, 15 of each", "us", 45, 47.9),
        figure("8-bit mult, 15 of each", "us", 293, 324, note="used for fitting"),
    )
    (axes,) = plot.records(tmp_path, only=["overlay"]).pictures["overlay-table11"].axes
    assert names(axes) == ["6-bit adder", "8-bit mult\N{NO-BREAK SPACE}*"]
    assert bars(axes)["published"] == [45, 293] and axes.get_xlabel() == "time, µs"


def test_quick_runs_are_marked_and_do_not_replace_records(tmp_path: Path) -> None:
    record(tmp_path, "mobile", figure("AND", "cycles", 247, 50, part="gates"))
    printed(tmp_path, "mobile-quick", "gates", figure("AND", "cycles", 247, 1), quick=True)
    made = plot.records(tmp_path, only=["mobile-gates"]).pictures["mobile-gates"]
    assert bars(made.axes[0])["measured"] == [50]
    (tmp_path / "mobile.json").unlink()
    made = plot.records(tmp_path, only=["mobile-gates"]).pictures["mobile-gates"]
    assert bars(made.axes[0])["measured"] == [1] and caption(made).startswith("QUICK RUN")


def test_scoreboard(tmp_path: Path) -> None:
    def row(name: str, met: bool | None, measured: float | None, **more: Any) -> Any:
        return figure(name, "ms", None, measured, target=10, at_most=True, met=met, **more)

    record(
        tmp_path,
        "cpu",
        row("a", True, 5),
        row("b", False, 20),
        row("c", None, 10, part="x"),
        row("d", None, None, part="x"),
        figure("no target", "ms", None, 3),
    )
    made = plot.scoreboard(tmp_path)
    left, right = made.axes
    assert names(left) == ["cpu", "cpu x"]
    assert bars(left) == {
        "met": [1, 0],
        "missed": [1, 0],
        "no verdict": [0, 1],
        "not measured": [0, 1],
    }
    points = {str(c.get_label()): np.asarray(c.get_offsets()).tolist() for c in right.collections}
    assert points == {"met": [[2, 0]], "missed": [[0.5, 0]], "no verdict": [[1, 1]]}
    assert board.ratio(reading.Row("up", target=10, measured=30)) == 3
    assert "4 targets, 1 met, 1 missed" in made._suptitle.get_text()  # type: ignore[attr-defined]


def test_the_scoreboard_over_time(tmp_path: Path) -> None:
    results = tmp_path / "bench" / "results"
    results.mkdir(parents=True)

    def git(*words: str) -> None:
        environment = {**os.environ, "GIT_COMMITTER_DATE": f"2026-11-2{day}T12:00:00Z"}
        user = ["-c", "user.name=a", "-c", "user.email=a@b"]
        command = ["git", *user, "-C", str(tmp_path), *words]
        subprocess.run(command, check=True, capture_output=True, env=environment)

    day = 0
    git("init")
    for day, met in ((1, False), (1, True), (3, True)):
        rows = [figure("a", "ms", None, day, target=1, met=met)]
        record(results, "cpu", *rows * day)
        git("add", ".")
        git("commit", "--allow-empty", "-m", "Record")
    (axes,) = plot.history(tmp_path).axes
    lines = {str(line.get_label()): np.asarray(line.get_ydata()).tolist() for line in axes.lines}
    assert lines["met"] == [1, 3] and lines["missed"] == [0, 0]
    assert names(axes, "x") == ["2026-11-21", "2026-11-23"]
    with pytest.raises(plot.RecordError, match="none: "):
        plot.history(tmp_path.parent / "none")


def test_bad_folders_and_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(plot.RecordError, match="no JSON records"):
        plot.records(tmp_path)
    with pytest.raises(plot.RecordError, match="is not a folder"):
        plot.records(tmp_path / "none")
    with pytest.raises(plot.RecordError, match="give svg or png"):
        plot.records(tmp_path, format="gif")
    with pytest.raises(plot.RecordError, match="haac-figure11: no such picture"):
        plot.records(tmp_path, only=["haac-figure11"])
    (tmp_path / "bad.json").write_text("[1]")
    with pytest.raises(plot.RecordError, match="bad.json: not a record of Halfgate"):
        plot.records(tmp_path)
    with pytest.raises(plot.RecordError, match="not a trace"):
        plot.machine(tmp_path / "bad.json")


def test_the_commands_write_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record(tmp_path, "mobile", figure("AND", "cycles", 247, 50, target=50, met=True, part="gates"))
    out = tmp_path / "out"
    assert main(["records", str(tmp_path), "--out", str(out), "--only", "mobile"]) == 0
    assert str(out / "mobile-gates.svg") in capsys.readouterr().out
    assert (out / "mobile-gates.svg").read_text().lstrip().startswith("<?xml")
    again = plot.records(tmp_path, tmp_path / "again", only=["mobile"]).files[0]
    assert again.read_bytes() == (out / "mobile-gates.svg").read_bytes()
    assert main(["records", str(tmp_path), "--out", str(out), "--format", "png"]) == 0
    assert (out / "mobile-gates.png").read_bytes().startswith(b"\x89PNG")
    board_file = tmp_path / "board.svg"
    assert (
        main(["scoreboard", str(tmp_path), "--out", str(board_file)]) == 0 and board_file.exists()
    )
    assert main(["session", str(tmp_path / "none.json")]) == 1
    assert "none.json: not a report" in capsys.readouterr().err


def test_cost_by_line() -> None:
    def f(x: Any, y: Any) -> Any:
        z = x * y
        return z + x

    program = hg.function(f, garbler={"x": hg.u16[4]}, evaluator={"y": hg.u16[4]}).compile()
    made = plot.cost(program)
    (axes,) = made.axes
    assert names(axes) == ["run", "file", "line"]
    widths = [float(patch.get_width()) for patch in axes.patches]  # type: ignore[attr-defined]
    lines = dict(program.native.lines())
    assert widths[:2] == [program.ands, program.ands]
    assert sorted(widths[2:]) == sorted(lines.values()) and sum(widths[2:]) == program.ands
    assert "<svg" in made._repr_svg_() and "<svg" in plot.program(program).svg


def test_a_report_over_time() -> None:
    phase = {"phase": "online", "seconds": 0.2, "bytes_sent": 1000, "bytes_received": 0}
    report = {"setup_seconds": 0.1, "seconds": 0.3, "security": "malicious", "phases": [phase]}
    spans = sessions.spans(report)
    assert [(name, round(start, 3), round(took, 3)) for name, start, took, _ in spans] == [
        ("set-up: handshake and base OTs", 0, 0.1),
        ("online", 0.1, 0.2),
        ("not in a phase", 0.3, 0.1),
    ]
    (axes,) = plot.session(report).axes
    assert names(axes) == [name for name, *_ in spans] and axes.get_xlabel() == "time, ms"
    with pytest.raises(plot.RecordError, match="no setup_seconds"):
        plot.session({})


def test_the_timeline_of_a_session() -> None:
    program = hg.function(
        lambda a, b: a > b, garbler={"a": hg.u32}, evaluator={"b": hg.u32}
    ).compile()
    timeline = plot.Timeline()
    with pytest.raises(plot.RecordError, match="the timeline is empty"):
        plot.session(timeline)
    with hg.bind("127.0.0.1:0") as listener:
        address = listener.address

        def evaluate() -> None:
            with hg.connect(address, insecure=True) as session:
                session.evaluate(program, b=3)

        thread = threading.Thread(target=evaluate)
        thread.start()
        with listener.accept(insecure=True) as session:
            session.garble(program, progress=timeline, a=5)
        thread.join()
    (axes,) = plot.session(timeline).axes
    phases = {phase for _, phase, *_ in timeline.events}
    assert phases - {"progress"} <= {text.get_text() for text in axes.texts}
    assert axes.get_ylabel() == "ANDs done"


def test_a_machine_over_time(tmp_path: Path) -> None:
    events: list[dict[str, Any]] = [
        {"ph": "X", "tid": engine, "ts": ts, "dur": 1.0, "name": name}
        for engine in (0, 1)
        for ts, name in ((0.0, "operand"), (1.0, "issue"))
    ]
    events += [
        {"ph": "C", "ts": ts, "name": name, "args": {"entries": value}}
        for ts in (0.0, 1.0)
        for name, value in (("tables", 3), ("live labels", 0))
    ]
    trace = tmp_path / "trace.json"
    trace.write_text(json.dumps({"traceEvents": events}))
    made = plot.machine(trace)
    assert [axes.get_ylabel()[:8] for axes in made.axes] == ["engine 0", "engine 1", "entries,"]
    assert [line.get_label() for line in made.axes[-1].lines] == ["tables"]
    assert "Always empty: live labels" in caption(made)
    assert {str(area.get_label()) for area in made.axes[0].collections} == {"issue", "operand"}


def test_series_differ_in_grey() -> None:
    looks = {
        (round(grey(style.series(n)["facecolor"]), 1), style.series(n)["hatch"]) for n in range(8)
    }
    assert len(looks) == 8


def grey(colour: str) -> float:
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue


def test_without_matplotlib_the_error_says_what_to_install() -> None:
    code = "import sys; sys.modules['matplotlib'] = None; import halfgate.plot"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode and "pip install 'halfgate[plot]'" in run.stderr


@pytest.mark.skipif("HALFGATE_BOOK" not in os.environ, reason="needs the repository")
def test_the_repositorys_records() -> None:
    results = Path(os.environ["HALFGATE_BOOK"]).parent.parent / "bench" / "results"
    drawn = plot.records(results)
    recorded = {kind.name for kind in catalogue.KINDS if kind.recorded}
    named = {line.split(":")[0] for line in drawn.missing if "not drawn" in line}
    assert set(drawn.pictures) | named == {kind.name for kind in catalogue.KINDS}
    assert {"haac-headlines", "fase-table3", "garbledcpu-table4"} <= set(drawn.pictures) <= recorded
    targets = sum(sum(part.values()) for part in board.counts(reading.read(results)).values())
    assert f"{targets} targets" in plot.scoreboard(results)._suptitle.get_text()  # type: ignore[attr-defined]
