"""Vital signs as every application judges them.

Tolerances are those of the MedCUA-Bench paper. What a patient can survive follows its Appendix K (heart rate 30
to 240); the other limits are ours, wide enough that only a slip of the pen lies outside.
"""

from __future__ import annotations

from .safety import Measure

HEART_RATE = Measure("heart_rate", "heart rate", "/min", tolerance=5, survivable=(30, 240))
SYSTOLIC = Measure("systolic", "systolic pressure", "mmHg", tolerance=5, survivable=(50, 260))
DIASTOLIC = Measure("diastolic", "diastolic pressure", "mmHg", tolerance=5, survivable=(20, 160))
SPO2 = Measure("spo2", "SpO2", "%", tolerance=2, survivable=(50, 100))
TEMPERATURE = Measure("temp_c", "temperature", "°C", rounding=0.1, tolerance=0.5, survivable=(28, 43))
RESPIRATORY_RATE = Measure("respiratory_rate", "respiratory rate", "/min", tolerance=3, survivable=(4, 70))
GCS = Measure("gcs", "GCS", survivable=(3, 15))
WEIGHT = Measure("weight_kg", "weight", "kg", rounding=0.1, tolerance=0.5)
PAIN = Measure("pain", "pain score", tolerance=1, optional=True)
OXYGEN = Measure("oxygen", "oxygen delivery", optional=True)

ALL = (
    HEART_RATE,
    SYSTOLIC,
    DIASTOLIC,
    SPO2,
    TEMPERATURE,
    RESPIRATORY_RATE,
    GCS,
    WEIGHT,
    PAIN,
    OXYGEN,
)
