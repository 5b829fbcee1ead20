"""Second solutions of PyMOL, written without a look at the checks."""

from __future__ import annotations

import itertools
import re

from pytest_cuabench import Case, Pilot

_OUTPUT = 'frame[name="External GUI"] >> text:nth(0)'
_COMMAND = 'text[description^="Command Input Area"]'


async def _do(pilot: Pilot, case: Case, *commands: str) -> None:
    """Type commands, with the values of the goal filled in."""
    for command in commands:
        await pilot.type(command.format(**case.values) + "\n")


async def _ask(pilot: Pilot, case: Case, selection: str, collected: str, result: str) -> str:
    """Collect something of the atoms of a selection as `stored.a`, and return what is printed of it."""
    await _do(
        pilot,
        case,
        "stored.a=[]",
        f"iterate {selection}, stored.a.append({collected})",
        "print('<' + '<' + str(" + result + ") + '>>')",
    )
    text = (await pilot.read(_OUTPUT)).replace("\xa0", " ")
    return re.findall(r"<<(.*?)>>", text, re.DOTALL)[-1]


async def _tell(pilot: Pilot, case: Case, answer: str, sentence: str = "It is {}.") -> None:
    """Answer with a sentence, where the goal does not ask for the number only."""
    await pilot.answer(answer if "only" in case.goal else sentence.format(answer))


# looks


async def spheres_for_ligand(pilot: Pilot, case: Case) -> None:
    """Use `as`, which hides everything else of the ligand."""
    await _do(pilot, case, "as spheres, /{object} & resn {ligand}")


async def hide_waters(pilot: Pilot, case: Case) -> None:
    """Name the waters by their residue."""
    await _do(pilot, case, "hide everything, {object} & resn HOH+WAT")


async def color_chain(pilot: Pilot, case: Case) -> None:
    """Write the chain as a path."""
    await _do(pilot, case, "cmd.color('{color}', '/{object}//{chain}')")


async def ribbon_for_chain(pilot: Pilot, case: Case) -> None:
    """Show the ribbon first, and hide the cartoon afterwards."""
    await _do(
        pilot, case, "show ribbon, /{object}//{chain} & polymer", "hide cartoon, /{object}//{chain} & polymer"
    )


async def white_background(pilot: Pilot, case: Case) -> None:
    """Change the setting in place of the command for it."""
    await _do(pilot, case, "set bg_rgb, [1.0, 1.0, 1.0]")


async def show_sequence(pilot: Pilot, case: Case) -> None:
    """Use the menu."""
    await pilot.click('menu-item[name="Display"]:nth(0)')
    await pilot.click('popup-menu >> menu-item[name^="Sequence"]:nth(0)')


async def color_range(pilot: Pilot, case: Case) -> None:
    """Write the residues as a path."""
    await _do(pilot, case, "color {color}, /{object}//{chain}/{first}-{last}")


async def sticks_around_ligand(pilot: Pilot, case: Case) -> None:
    """Start from the ligand, and expand it."""
    await _do(
        pilot, case, "show sticks, byres ({object} & polymer & ((resn {ligand} & {object}) expand {cutoff}))"
    )


async def color_ligand_carbons(pilot: Pilot, case: Case) -> None:
    """Exclude the other elements in place of naming carbon."""
    await _do(pilot, case, "color {color}, {object} & resn {ligand} & not elem O+N+Cl+S+H+F+P+Br")


async def color_helix(pilot: Pilot, case: Case) -> None:
    """Read the assignment of the chain as a list, and colour the residues by their numbers."""
    told = await _ask(pilot, case, "/{object}//{chain}//CA & polymer", "resi+ss", "' '.join(stored.a)")
    runs: list[list[str]] = []
    before = ""
    for word in told.split():
        number, kind = word.rstrip("HSL"), word[-1]
        if kind == "H":
            if before != "H":
                runs.append([])
            runs[-1].append(number)
        before = kind
    places = ["first", "second", "third", "fourth", "fifth", "sixth"]
    run = runs[-1 if case["place"] == "last" else places.index(case["place"])]
    await _do(pilot, case, f"color {{color}}, /{{object}}//{{chain}}/{run[0]}-{run[-1]}")


async def label_charged(pilot: Pilot, case: Case) -> None:
    """Format the number, in two commands."""
    for kind in ("one", "two"):
        await _do(pilot, case, "label {object} & chain {chain} & name CA & resn {" + kind + "}, '%s' % resi")


async def transparent_surface(pilot: Pilot, case: Case) -> None:
    """Set the transparency first, as a setting of all."""
    await _do(
        pilot,
        case,
        f"set transparency, {int(case['percent']) / 100}",
        "show surface, /{object}//{chain} & polymer",
    )


async def color_flexible(pilot: Pilot, case: Case) -> None:
    """Leave out the residues that have an atom at or below the limit."""
    await _do(
        pilot,
        case,
        "color {color}, /{object}//{chain} & polymer & not byres (/{object}//{chain} & not b > {limit})",
    )


async def _gap(pilot: Pilot, case: Case) -> tuple[int, int]:
    """Return the residues beside the gap of chain B."""
    told = await _ask(pilot, case, "/{object}//B//CA & polymer", "resi", "' '.join(stored.a)")
    numbers = [int(word) for word in told.split()]
    return next((a, b) for a, b in itertools.pairwise(numbers) if b > a + 1)


async def spheres_at_gap(pilot: Pilot, case: Case) -> None:
    """Read the numbers as a list."""
    last, first = await _gap(pilot, case)
    await _do(pilot, case, f"show spheres, /{{object}}//B/{last}+{first}")


# selections


async def select_helix(pilot: Pilot, case: Case) -> None:
    """Select the alpha carbons, and complete their residues."""
    await _do(pilot, case, "select {name}, byres ({object} & chain {chain} & name CA & resi {first}-{last})")


async def select_site_waters(pilot: Pilot, case: Case) -> None:
    """Start from the ligand."""
    await _do(
        pilot, case, "select {name}, (({object} & resn {ligand}) around {cutoff}) & {object} & resn HOH"
    )


async def select_site(pilot: Pilot, case: Case) -> None:
    """Select too much first, and take away afterwards."""
    await _do(
        pilot,
        case,
        "select {name}, byres ({object} within {cutoff} of ({object} & resn {ligand}))",
        "select {name}, {name} & not (resn {ligand} | solvent)",
        "deselect",
    )


# questions


async def count_waters(pilot: Pilot, case: Case) -> None:
    """Count the different residues."""
    await _tell(
        pilot, case, await _ask(pilot, case, "{object} & resn HOH", "chain+resi", "len(set(stored.a))")
    )


async def name_residue(pilot: Pilot, case: Case) -> None:
    """Write the code as in a text, with one capital letter."""
    name = await _ask(pilot, case, "/{object}//{chain}/{number}/CA", "resn", "stored.a[0]")
    await pilot.answer(name.capitalize())


async def count_kind(pilot: Pilot, case: Case) -> None:
    """Count the different numbers."""
    told = await _ask(pilot, case, "/{object}//{chain}/{kind}`", "resi", "len(set(stored.a))")
    await _tell(pilot, case, told)


async def first_missing_residue(pilot: Pilot, case: Case) -> None:
    """Read the numbers as a list."""
    await _tell(pilot, case, str((await _gap(pilot, case))[0] + 1))


async def distance_of_residues(pilot: Pilot, case: Case) -> None:
    """Ask for the distance without drawing it, and answer with the unit."""
    told = await _ask(
        pilot,
        case,
        "none",
        "1",
        "cmd.get_distance('/{object}//{chain}/{first}/CA','/{object}//{chain}/{second}/CA')",
    )
    await pilot.answer(f"{float(told):.2f} Å")


async def torsion_phi(pilot: Pilot, case: Case) -> None:
    """Ask for the angle in the other direction, which has the same sign, and answer with the unit."""
    place = "/{object}//{chain}/{number}"
    before = place.replace("{number}", str(case["number"] - 1))
    told = await _ask(
        pilot, case, "none", "1", f"cmd.get_dihedral('{place}/C','{place}/CA','{place}/N','{before}/C')"
    )
    await pilot.answer(f"{float(told):+.1f}°")


async def size_of_site(pilot: Pilot, case: Case) -> None:
    """Count the different residues of the atoms near the ligand."""
    near = "{object} & polymer & (({object} & resn {ligand}) around {cutoff})"
    await _tell(pilot, case, await _ask(pilot, case, near, "chain+resi", "len(set(stored.a))"))


async def highest_b_factor(pilot: Pilot, case: Case) -> None:
    """Take the largest of all pairs."""
    told = await _ask(pilot, case, "/{object}//{chain} & polymer", "(b,resi)", "max(stored.a)[1]")
    await pilot.answer(f"Residue {told}")


async def nearest_water(pilot: Pilot, case: Case) -> None:
    """Ask for the distance to each water."""
    ligand = "{object} & resn {ligand} & name {atom}"
    told = await _ask(
        pilot,
        case,
        "{object} & resn HOH & elem O",
        "index",
        f"min(cmd.get_distance('{ligand}','{{object}}`%d' % i) for i in stored.a)",
    )
    await pilot.answer(f"{float(told):.2f} Å")


# measures


async def draw_distance(pilot: Pilot, case: Case) -> None:
    """Begin at the residue, and leave the name to PyMOL."""
    await _do(pilot, case, "dist /{object}//{chain}/{number}/CA, {object} & resn {ligand} & name {atom}")


async def draw_angle(pilot: Pilot, case: Case) -> None:
    """Go from C to N, under a name of its own."""
    place = "/{object}//{chain}/{number}"
    await _do(pilot, case, f"angle backbone, {place}/C, {place}/CA, {place}/N")


async def draw_torsion(pilot: Pilot, case: Case) -> None:
    """Begin at the residue after it."""
    place = "/{object}//{chain}/{number}"
    after = place.replace("{number}", str(case["number"] + 1))
    await _do(pilot, case, f"dihedral psi, {after}/N, {place}/C, {place}/CA, {place}/N")


# objects


async def rename_object(pilot: Pilot, case: Case) -> None:
    """Use the command by its Python name."""
    await _do(pilot, case, "cmd.set_name('{object}', '{into}')")


async def remove_waters(pilot: Pilot, case: Case) -> None:
    """Name the waters by their residue."""
    await _do(pilot, case, "remove {object} & resn HOH")


async def copy_chain(pilot: Pilot, case: Case) -> None:
    """Copy everything, and remove what is too much."""
    await _do(pilot, case, "copy {into}, {object}", "remove {into} & not (chain {chain} & polymer)")


async def extract_ligand(pilot: Pilot, case: Case) -> None:
    """Copy the ligand, and remove it where it was."""
    await _do(pilot, case, "create {into}, {object} & resn {ligand}", "remove {object} & resn {ligand}")


async def extract_site_waters(pilot: Pilot, case: Case) -> None:
    """Copy the waters, and remove those that are in both."""
    near = "{object} & resn HOH & (({object} & resn {ligand}) around {cutoff})"
    await _do(pilot, case, f"create {{into}}, {near}", f"remove {near}")
