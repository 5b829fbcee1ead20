"""Plausible ways to do each task wrong: the reference on a misread case, or with a step too many or too few.

What one of them fails for so proves one check.
"""

from __future__ import annotations

from typing import Any

from pytest_cuabench.adapters.oracle import Hand
from pytest_cuabench.task import Case, wrong

from . import solutions
from .hands import (
    confirm,
    context,
    find_record,
    layer_menu,
    open_table,
    press,
    properties,
    remove_layer,
    show_map,
)
from .maps import PIEMONTE, full


def misread(case: Case, **changes: Any) -> Case:
    """Return the case with other values."""
    return Case(case.goal, {**case.values, **changes})


@wrong("open_map", "milestone:map")
async def opened_its_neighbour(hand: Hand, case: Case) -> None:
    """The location is right, the map is another one."""
    await solutions.open_map(hand, misread(case, map=case["other"], layer=full(case["other"])))


@wrong("open_map", "milestone:map")
async def took_it_off_again(hand: Hand, case: Case) -> None:
    """The map was shown, and is gone in the end."""
    await solutions.open_map(hand, case)
    await remove_layer(hand, case["layer"])


@wrong("replace_layer", "milestone:shown")
async def removed_only(hand: Hand, case: Case) -> None:
    """Half of the work is not done."""
    await remove_layer(hand, case["layer"])


@wrong("replace_layer", "milestone:removed")
async def showed_it_beside(hand: Hand, case: Case) -> None:
    """The old layer is still there."""
    await show_map(hand, case["location"], case["new"])


@wrong("replace_layer", "record_integrity/major")
async def showed_another_one(hand: Hand, case: Case) -> None:
    """The map that was shown instead is not the one that was asked for."""
    await solutions.replace_layer(hand, misread(case, new=case["other"]))


@wrong("hide_toolbar", "milestone:hidden")
async def hid_the_status_bar(hand: Hand, case: Case) -> None:
    """It is the other bar that is gone."""
    await context(hand, "place:canvas", "Hide statusbar")


@wrong("start_editing", "milestone:editing")
async def opened_the_table(hand: Hand, case: Case) -> None:
    """The table is not the digitizer."""
    await open_table(hand, case["layer"])


@wrong("show_status", "milestone:status")
async def chose_another_status(hand: Hand, case: Case) -> None:
    """The status bar tells something else."""
    await solutions.show_status(hand, misread(case, status=case["other"]))


@wrong("set_scale", "milestone:scale")
async def left_out_a_digit(hand: Hand, case: Case) -> None:
    """The scale is ten times too large."""
    await solutions.set_scale(hand, misread(case, scale=case["scale"] // 10))


@wrong("set_scale", "record_integrity/major")
async def removed_the_map(hand: Hand, case: Case) -> None:
    """The scale is right, but nothing is displayed."""
    await solutions.set_scale(hand, case)
    await remove_layer(hand, case["layer"])


@wrong("hide_layer", "milestone:off")
async def removed_it(hand: Hand, case: Case) -> None:
    """Switched off is not removed."""
    await remove_layer(hand, case["layer"])


@wrong("hide_layer", "record_integrity/major")
async def hid_another_layer(hand: Hand, case: Case) -> None:
    """It is the other layer that is not drawn."""
    await solutions.hide_layer(hand, misread(case, layer=case["other"]))


@wrong("pan_to_country", "milestone:in_view")
async def went_to_its_neighbour(hand: Hand, case: Case) -> None:
    """Another country is in view."""
    await solutions.pan_to_country(hand, misread(case, **case["other"]))


@wrong("pan_to_country", "milestone:in_view")
async def zoomed_out(hand: Hand, case: Case) -> None:
    """The country is in view, at another scale."""
    await layer_menu(hand, full("countries"), "Zoom to selected map(s)")


@wrong("count_types", "information_fidelity/major")
async def told_the_other_type(hand: Hand, case: Case) -> None:
    """It is the type of which there are fewer."""
    await solutions.count_types(hand, misread(case, more=case["less"]))


@wrong("count_features", "information_fidelity/major")
async def counted_another_map(hand: Hand, case: Case) -> None:
    """The number belongs to another map."""
    await solutions.count_features(hand, misread(case, map=case["other"]["map"], **_numbered(case)))


def _numbered(case: Case) -> dict[str, Any]:
    number = case["other"]["number"]
    return {"layer": full(case["other"]["map"]), "number": number if number != case["number"] else number + 1}


@wrong("set_opacity", "milestone:opacity")
async def took_it_for_transparency(hand: Hand, case: Case) -> None:
    """So much is what shines through, not what is left."""
    await solutions.set_opacity(hand, misread(case, percent=100 - case["percent"]))


@wrong("set_opacity", "record_integrity/major")
async def renamed_it_too(hand: Hand, case: Case) -> None:
    """The layer's title was not asked for."""
    await solutions.rename_layer(hand, misread(case, label="see-through"))
    await solutions.set_opacity(hand, misread(case, layer="see-through"))


@wrong("rename_layer", "milestone:label")
async def misspelled_it(hand: Hand, case: Case) -> None:
    """The title is nearly right."""
    await solutions.rename_layer(hand, misread(case, label=case["label"].upper()))


@wrong("label_features", "milestone:attribute_column")
async def labelled_by_another_column(hand: Hand, case: Case) -> None:
    """Something else is written on the map."""
    await solutions.label_features(hand, misread(case, column=case["other"]))


@wrong("label_features", "milestone:attribute_column")
async def showed_category_numbers(hand: Hand, case: Case) -> None:
    """The numbers of the features are no attributes."""
    dialog = await properties(hand, case["layer"], "Required")
    await press(hand, f'{dialog} >> check-box[name="Display category numbers of features"]')
    await confirm(hand, dialog)


@wrong("label_alignment", "milestone:xref")
async def aligned_it_otherwise(hand: Hand, case: Case) -> None:
    """The labels stand on the other side."""
    await solutions.label_alignment(hand, misread(case, side=case["other"]))


@wrong("fill_color", "milestone:fill_color")
async def filled_in_another_color(hand: Hand, case: Case) -> None:
    """The colour is another one."""
    await solutions.fill_color(hand, misread(case, rgb=case["other"]))


@wrong("fill_color", "record_integrity/major")
async def colored_the_borders(hand: Hand, case: Case) -> None:
    """The colour is right, but it is that of the borders."""
    await solutions.recolor(hand, case["layer"], 0, case["rgb"])


@wrong("road_color", "milestone:color")
async def left_the_roads_dark(hand: Hand, case: Case) -> None:
    """The roads are shown as they come."""
    await show_map(hand, PIEMONTE, case["map"])


@wrong("road_color", "record_integrity/major")
async def colored_the_region(hand: Hand, case: Case) -> None:
    """The colour was given to the layer below."""
    await show_map(hand, PIEMONTE, case["map"])
    await solutions.recolor(hand, case["shown"], 0, case["rgb"])


@wrong("line_width", "milestone:width")
async def drew_it_a_pixel_wider(hand: Hand, case: Case) -> None:
    """One pixel too many."""
    await solutions.line_width(hand, misread(case, width=case["width"] + 1))


@wrong("point_symbol", "milestone:icon")
async def took_another_symbol(hand: Hand, case: Case) -> None:
    """The symbol is the wrong one."""
    await solutions.point_symbol(hand, misread(case, symbol=case["wrong_symbol"]))


@wrong("symbol_size", "milestone:size")
async def left_the_size(hand: Hand, case: Case) -> None:
    """The points are shown in the size they come in."""
    await show_map(hand, PIEMONTE, case["map"])


@wrong("symbol_size", "record_integrity/major")
async def removed_the_outline(hand: Hand, case: Case) -> None:
    """What was displayed before is gone."""
    await solutions.symbol_size(hand, case)
    await remove_layer(hand, case["shown"])


@wrong("filter_schools", "milestone:schools")
async def showed_all_schools(hand: Hand, case: Case) -> None:
    """Nothing was left out."""
    await show_map(hand, PIEMONTE, "schools")


@wrong("filter_schools", "milestone:schools")
async def showed_the_contrary(hand: Hand, case: Case) -> None:
    """Exactly the others are shown."""
    await show_map(hand, PIEMONTE, "schools")
    await solutions.condition(hand, f"wheelchair != '{case['access']}'")


@wrong("show_metadata", "milestone:printed")
async def asked_for_another_map(hand: Hand, case: Case) -> None:
    """The metadata are those of another map."""
    await show_map(hand, PIEMONTE, case["other"])
    await layer_menu(hand, full(case["other"]), "Metadata")


@wrong("raster_statistics", "milestone:printed")
async def asked_for_metadata(hand: Hand, case: Case) -> None:
    """Metadata are no statistics."""
    await layer_menu(hand, case["layer"], "Metadata")


@wrong("raster_statistics_of_vector", "milestone:declared")
async def called_it_done(hand: Hand, case: Case) -> None:
    """The metadata of the vector map were printed, and taken for what was asked."""
    await layer_menu(hand, case["layer"], "Metadata")


@wrong("count_least_developed", "information_fidelity/major")
async def counted_another_economy(hand: Hand, case: Case) -> None:
    """The number is that of other countries."""
    number = case["other"] if case["other"] != case["number"] else case["number"] + 1
    await solutions.count_least_developed(hand, misread(case, number=number))


@wrong("province_at_latitude", "information_fidelity/major")
async def told_the_international_name(hand: Hand, case: Case) -> None:
    """The province is right, but its name is not the local one."""
    await solutions.province_at_latitude(hand, misread(case, name=case["plain"]))


@wrong("province_at_latitude", "information_fidelity/major")
async def told_another_province(hand: Hand, case: Case) -> None:
    """The name is that of another row."""
    await solutions.province_at_latitude(hand, misread(case, name=case["other"]))


@wrong("largest_city", "information_fidelity/major")
async def told_the_second_largest(hand: Hand, case: Case) -> None:
    """Another city of the zone is larger."""
    await solutions.largest_city(hand, misread(case, name=case["other"]))


@wrong("fire_station_in_street", "information_fidelity/major")
async def told_the_city(hand: Hand, case: Case) -> None:
    """The answer is in another column."""
    await solutions.fire_station_in_street(hand, misread(case, name=case["city"]))


@wrong("hospitals_in_city", "information_fidelity/major")
async def counted_another_city(hand: Hand, case: Case) -> None:
    """The number is that of another city."""
    await solutions.hospitals_in_city(hand, misread(case, number=case["other"]))


@wrong("province_of_municipality", "information_fidelity/major")
async def told_the_neighbours_province(hand: Hand, case: Case) -> None:
    """The province is another one."""
    await solutions.province_of_municipality(hand, misread(case, province=case["other"]))


@wrong("feature_code", "information_fidelity/major")
async def told_another_code(hand: Hand, case: Case) -> None:
    """The code is that of another place."""
    await solutions.feature_code(hand, misread(case, code=case["other"]))


@wrong("add_column", "milestone:typed")
async def took_another_type(hand: Hand, case: Case) -> None:
    """The column is there, but holds something else."""
    await solutions.add_column(hand, misread(case, type=case["other"]))


@wrong("drop_column", "record_integrity/major")
async def dropped_another_column(hand: Hand, case: Case) -> None:
    """The column that is needed is gone."""
    await solutions.drop_column(hand, misread(case, place=case["other_place"]))


@wrong("fix_start_date", "milestone:year")
async def emptied_the_date(hand: Hand, case: Case) -> None:
    """The year went with the day."""
    await solutions.fix_start_date(hand, misread(case, year=""))


@wrong("fix_start_date", "record_integrity/major")
async def deleted_the_record(hand: Hand, case: Case) -> None:
    """The record was not to go."""
    await show_map(hand, PIEMONTE, "points_of_interest")
    await open_table(hand, full("points_of_interest"))
    await context(hand, await find_record(hand, case["cat"]), "Delete selected record(s)")
    await press(hand, 'push-button[name="Yes"]')


@wrong("delete_point", "record_integrity/major")
async def deleted_the_mark_on_land(hand: Hand, case: Case) -> None:
    """The other point was meant to stay."""
    await solutions.delete_point(hand, misread(case, **case["other"]))


@wrong("delete_point", "milestone:deleted")
async def deleted_the_record_only(hand: Hand, case: Case) -> None:
    """The point is still on the map, without a record."""
    await open_table(hand, case["layer"])
    await context(hand, await find_record(hand, case["cat"]), "Delete selected record(s)")
    await press(hand, 'push-button[name="Yes"]')
