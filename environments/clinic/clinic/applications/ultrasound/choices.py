"""The fixed choices of the product: what is stored, and how it reads on a page."""

from clinic.applications.ultrasound import beams

PROBES = beams.PROBES
STATUSES = {
    "scheduled": "Scheduled",
    "in_progress": "In progress",
    "scanned": "To report",
    "reported": "Reported",
    "cancelled": "Cancelled",
}
PRIORITIES = {"routine": "Routine", "urgent": "Urgent", "stat": "STAT"}
MODES = {"b": "B", "colour": "Colour", "pw": "PW Doppler", "m": "M-mode"}
SIDES = {"right": "Right", "left": "Left", "midline": "Midline"}
PLANES = {"transverse": "Transverse", "longitudinal": "Longitudinal"}
TGC = {"tgc_near": "near", "tgc_mid": "middle", "tgc_far": "far"}
# The lexicon of ACR TI-RADS 2017; points are for the reader to add.
LEXICON = {
    "composition": (
        "Composition",
        {
            "cystic": "Cystic or almost completely cystic",
            "spongiform": "Spongiform",
            "mixed": "Mixed cystic and solid",
            "solid": "Solid or almost completely solid",
        },
    ),
    "echogenicity": (
        "Echogenicity",
        {
            "anechoic": "Anechoic",
            "iso": "Hyperechoic or isoechoic",
            "hypo": "Hypoechoic",
            "very": "Very hypoechoic",
        },
    ),
    "shape": ("Shape", {"wide": "Wider-than-tall", "tall": "Taller-than-wide"}),
    "margin": (
        "Margin",
        {
            "smooth": "Smooth or ill-defined",
            "lobulated": "Lobulated or irregular",
            "extension": "Extrathyroidal extension",
        },
    ),
    "foci": (
        "Echogenic foci",
        {
            "none": "None or large comet-tail",
            "macro": "Macrocalcification",
            "rim": "Peripheral (rim)",
            "punctate": "Punctate echogenic foci",
        },
    ),
}
LEVELS = {str(level): f"TR{level}" for level in range(1, 6)}
ADVICE = {"none": "No further imaging", "follow": "Follow-up ultrasound", "fna": "Fine-needle aspiration"}
CATEGORIES = {
    "red": ("Red", "within minutes", "Torsion, ectopic pregnancy, leaking aneurysm"),
    "orange": (
        "Orange",
        "within hours",
        "Fresh thrombosis above the knee, acute cholecystitis, infected obstruction",
    ),
    "yellow": (
        "Yellow",
        "within days",
        "Aneurysm of 5.5 cm or more without symptoms, mass that needs a biopsy",
    ),
}
METHODS = {"phone": "Phone", "in_person": "In person", "message": "Secure message"}
ROLES = {
    "sonologist": "Sonologist",
    "sonographer": "Sonographer",
    "resident": "Resident",
    "clinician": "Clinician",
    "ward_nurse": "Ward nurse",
}
