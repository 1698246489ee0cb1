# SPDX-License-Identifier: MIT
"""The functions of a header are what a library exports: symbols.py HEADER LIBRARY"""
import pathlib
import re
import subprocess
import sys

text = re.sub(r"/\*.*?\*/", "", pathlib.Path(sys.argv[1]).read_text(), flags=re.DOTALL)
declared = set(re.findall(r"\b(nearmiss_\w+)\(", text))
lines = subprocess.run(["nm", "-D", "--defined-only", sys.argv[2]], check=True, capture_output=True, text=True)
exported = {line.split()[-1].split("@")[0] for line in lines.stdout.splitlines()}
print(f"{len(declared)} declared; missing: {sorted(declared - exported)}; strange: {sorted(exported - declared)}")
sys.exit(len(declared) < 20 or declared != exported)
