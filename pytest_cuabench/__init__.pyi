"""The names that `pytest_cuabench` exports, each with its module; `__init__.py` reads them here."""

from pytest_cuabench.agents.base import Agent as Agent
from pytest_cuabench.agents.base import Briefing as Briefing
from pytest_cuabench.agents.base import Decision as Decision
from pytest_cuabench.agents.builtin.oracle import Lost as Lost
from pytest_cuabench.agents.builtin.oracle import Pilot as Pilot
from pytest_cuabench.agents.profile import Profile as Profile
from pytest_cuabench.drivers.base import Environment as Environment
from pytest_cuabench.drivers.driver import Driver as Driver
from pytest_cuabench.drivers.driver import DriverContext as DriverContext
from pytest_cuabench.drivers.driver import Place as Place
from pytest_cuabench.drivers.driver import PlannedSuite as PlannedSuite
from pytest_cuabench.drivers.worlds import World as World
from pytest_cuabench.drivers.worlds import WorldSession as WorldSession
from pytest_cuabench.drivers.worlds import find_world as find_world
from pytest_cuabench.errors import ActionError as ActionError
from pytest_cuabench.errors import BudgetSpent as BudgetSpent
from pytest_cuabench.errors import CheckerFailure as CheckerFailure
from pytest_cuabench.errors import CuabenchError as CuabenchError
from pytest_cuabench.errors import EnvironmentFailure as EnvironmentFailure
from pytest_cuabench.errors import ProviderFailure as ProviderFailure
from pytest_cuabench.errors import SettingError as SettingError
from pytest_cuabench.ledger.attempt import Attempt as Attempt
from pytest_cuabench.ledger.record import Run as Run
from pytest_cuabench.task.case import Case as Case
from pytest_cuabench.task.case import Values as Values
from pytest_cuabench.task.case import also as also
from pytest_cuabench.task.case import wrong as wrong
from pytest_cuabench.task.evidence import Activity as Activity
from pytest_cuabench.task.evidence import Change as Change
from pytest_cuabench.task.evidence import Evidence as Evidence
from pytest_cuabench.task.evidence import State as State
from pytest_cuabench.task.evidence import Write as Write
from pytest_cuabench.task.model import Instance as Instance
from pytest_cuabench.task.model import SuiteInfo as SuiteInfo
from pytest_cuabench.task.model import Task as Task
from pytest_cuabench.task.observation import ActionResult as ActionResult
from pytest_cuabench.task.observation import Box as Box
from pytest_cuabench.task.observation import Mark as Mark
from pytest_cuabench.task.observation import Node as Node
from pytest_cuabench.task.observation import Observation as Observation
from pytest_cuabench.task.observation import Tab as Tab
from pytest_cuabench.task.outcome import Outcome as Outcome
from pytest_cuabench.task.usage import Usage as Usage
from pytest_cuabench.task.verdict import Findings as Findings
from pytest_cuabench.task.verdict import Milestone as Milestone
from pytest_cuabench.task.verdict import Verdict as Verdict
from pytest_cuabench.task.verdict import Violation as Violation

__version__: str
__all__: list[str]
