import Cutroom
