import CLibAV
