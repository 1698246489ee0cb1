# SPDX-License-Identifier: MIT
"""Follows the pages as a newcomer does, in an empty home folder: dry_runs.py SOURCE BUILD WORK [--long] [PAGE...]

Every block of a page is used as it stands. Commands run literally, one after another; a block that follows them and names no
command is what they print. Sources are written to the file that the text before them names, or compared with that file. A block
that cannot be used fails the test, so that no page has a command that nobody has run.

Three things are stood in for, and nothing else: `git clone` copies SOURCE, `apt install` checks that the packages are listed, and
`cmake --build` of a whole checkout takes what BUILD holds; --long compiles the library. A window is closed after a while. Calls of
build/nearmiss within the text are run after the blocks.
"""
import contextlib
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

PAGES = ["docs/getting.md", "docs/hello.md", "docs/coming-from.md", "docs/robots.md", "docs/algorithms/robots.md"]
WINDOW_SECONDS = 3
ARTEFACTS = ("nearmiss", "nearmiss-lab", "collision/libnearmiss_*", "python/nearmiss")

GIT = """#!/bin/sh
test "$1 $2 $#" = "clone $SOURCE 3" || { echo "git $* is not what the page's clone is"; exit 1; }
exec "$PYTHON" "$TOOL" copy "$3"
"""
APT = """#!/bin/sh
test "$1" = install && shift || { echo "apt $*: unknown"; exit 1; }
for package; do
  grep -Eq "^[a-z]+ $package\\$" "$SOURCE/third_party/debian_packages.txt" || { echo "$package is not listed"; exit 1; }
done
"""
CMAKE = """#!/bin/sh
exec "$PYTHON" "$TOOL" cmake "$@"
"""


def copy(target):
    """Copies the sources without what was built."""
    skip = shutil.ignore_patterns(".git", "build", "build-*", "__pycache__", "shared", "*.egg-info")
    shutil.copytree(os.environ["SOURCE"], target, ignore=skip, symlinks=True)


def cmake(arguments):
    """Runs cmake, but takes the programs of a checkout from the build that is there."""
    source, build = pathlib.Path(os.environ["SOURCE"]), pathlib.Path(os.environ["BUILD"])
    if arguments[0] != "--build":
        os.execv(os.environ["CMAKE"], [os.environ["CMAKE"], *arguments])
    folder = pathlib.Path(f"build-{arguments[2]}" if arguments[1] == "--preset" else arguments[1])
    if folder.resolve() == build:
        return
    cache = (folder / "CMakeCache.txt").read_text()
    if "CMAKE_PROJECT_NAME:STATIC=nearmiss" not in cache or os.environ["LONG"] and folder.name == "build-library":
        os.execv(os.environ["CMAKE"], [os.environ["CMAKE"], *arguments])
    # What the presets build
    parts = {part for part in ("APP", "PYTHON") if re.search(rf"^NEARMISS_BUILD_{part}:\w+=ON$", cache, re.MULTILINE)}
    for pattern in ARTEFACTS:
        if pattern.startswith("nearmiss") and "APP" not in parts or pattern.startswith("python") and "PYTHON" not in parts:
            continue
        for file in build.glob(pattern):
            target = folder / file.relative_to(build)
            target.parent.mkdir(parents=True, exist_ok=True)
            if file.is_dir():
                shutil.copytree(file, target, dirs_exist_ok=True)
            else:
                shutil.copy2(file, target, follow_symlinks=False)
    print(f"built from what {source.name}'s build holds")


class Failed(Exception):
    pass


class DryRun:
    """One reader of one page."""

    def __init__(self, source, build, work, long, display):
        self.source, self.home = source, work / "home"
        shutil.rmtree(work, ignore_errors=True)
        tools = work / "tools"
        tools.mkdir(parents=True)
        self.home.mkdir()
        for name, text in {"git": GIT, "apt": APT, "cmake": CMAKE}.items():
            (tools / name).write_text(text)
            (tools / name).chmod(0o755)
        (tools / "nearmiss").symlink_to(build / "nearmiss")  # as if it were installed
        self.checkout, self.here, self.printed, self.ran = None, self.home, "", 0
        self.env = {"HOME": str(self.home), "PATH": f"{tools}:{os.environ['PATH']}", "SOURCE": str(source), "BUILD": str(build),
                    "TOOL": str(pathlib.Path(__file__).resolve()), "PYTHON": sys.executable, "CMAKE": shutil.which("cmake"),
                    "LONG": "1" if long else "", "NEARMISS_BUILD_DIR": str(build), "LANG": "C.UTF-8",
                    "PYTHONDONTWRITEBYTECODE": "1", "XDG_RUNTIME_DIR": str(work), **({"DISPLAY": display} if display else {})}
        for name in "CCACHE_DIR", "CXX", "CC":
            if name in os.environ:
                self.env[name] = os.environ[name]
        self.state = work / "state"

    def start(self):
        """The reader is in the checkout."""
        if not self.checkout:
            self.checkout = self.home / "nearmiss"
            self.run("git clone " + shlex.quote(str(self.source)) + " nearmiss")
        self.here = self.checkout

    def run(self, line):
        """Runs a line, and keeps the folder and the exported variables for the next one."""
        self.ran += 1
        if re.match(r"build/nearmiss\b", line) and self.here == self.checkout and not (self.here / "build").exists():
            self.run("cmake --preset release")
            self.run("cmake --build build")
        script = f"{line}\nstatus=$?\n{{ pwd; env -0 | tr '\\n\\0' ' \\n'; }} > {shlex.quote(str(self.state))}\nexit $status\n"
        window = re.search(r"(\./fly\.sh|nearmiss fly\b)", line)
        if window and "DISPLAY" not in self.env:
            print(f"NOT TESTED: {line}, because there is no Xvfb")
            return
        job = subprocess.Popen(["bash", "-c", script], cwd=self.here, env=self.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, start_new_session=True)
        if window:
            self.close_window(job, line)
            return
        self.printed = job.communicate()[0]
        if job.returncode:
            raise Failed(f"{line}\nends with {job.returncode}:\n{self.printed[-2000:]}")
        folder, *variables = self.state.read_text().splitlines()
        self.here = pathlib.Path(folder)
        self.env.update(v.split("=", 1) for v in variables if "=" in v and not v.startswith(("_=", "BASH_FUNC")))

    def close_window(self, job, line):
        """The window must stay open until it is closed."""
        opened = b""
        os.set_blocking(job.stdout.fileno(), False)
        end = time.monotonic() + 120
        begun = None
        while time.monotonic() < end and job.poll() is None:
            opened += job.stdout.buffer.read() or b""
            tree = subprocess.run(["ps", "-o", "args=", "-s", str(job.pid)], capture_output=True, text=True).stdout
            if not begun and re.search(r"^\S*/nearmiss fly", tree, re.MULTILINE):
                begun = time.monotonic()
            if begun and time.monotonic() - begun > WINDOW_SECONDS:
                break
            time.sleep(0.1)
        if job.poll() is not None or not begun:
            os.killpg(job.pid, signal.SIGKILL) if job.poll() is None else None
            raise Failed(f"{line}\nhas not opened, or has closed its window with {job.returncode}:\n{opened.decode()[-2000:]}")
        os.killpg(job.pid, signal.SIGTERM)
        try:
            job.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGKILL)
            raise Failed(f"{line}\ndoes not end when it is told to")

    def use(self, page):
        text = (self.source / page).read_text(encoding="utf-8")
        before, used, at = "", 0, 0
        for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            prose, at = text[at:block.start()], block.end()
            language, content = block[1], block[2]
            used += 1
            try:
                if language in ("", "sh"):
                    self.commands(content)
                else:
                    self.file(page, language, content, prose)
            except Failed as failure:
                raise Failed(f"{page}: {failure}")
        for line in re.findall(r"`(build/nearmiss [^`\n]+)`", text):
            self.start()
            self.run(line)
        print(f"{page}: {used} blocks")

    def commands(self, content):
        lines = content.replace("\\\n", " ").splitlines()
        known = re.compile(r"(?:\w+=\S* )*(?:\./\w+\.sh|build\S*/\w[\w-]*|[\w./-]*(?:git|cmake|python3|pip|apt|export|cd|c\+\+|cc|sbatch|parallel|nearmiss))\b")
        if not any(known.match(line) for line in lines):
            self.compare(content)
            return
        self.here = self.checkout or self.home
        printed = ""
        if not self.checkout and not any(re.match(r"git clone\b", line) for line in lines):
            self.start()
        for line in lines:
            line = line.replace("<address of the repository>", shlex.quote(str(self.source)))
            self.run(line)
            printed += self.printed
            if re.match(r"git clone\b", line):
                self.checkout = self.here
        self.printed = printed

    def compare(self, content):
        """A block after commands is what they print, apart from what a build says."""
        if content not in self.printed:
            raise Failed(f"a block is no command, and was not printed:\n{content}\nbut\n{self.printed[-2000:]}")

    def file(self, page, language, content, prose):
        """A source: the file that the text names last, or a piece of a program."""
        suffix = {"cpp": ".cpp", "cmake": "CMakeLists.txt", "toml": ".toml", "python": ".py"}.get(language)
        if not suffix:
            raise Failed(f"nobody knows how to try a block of {language}:\n{content}")
        named = [name for name in re.findall(r"`([~\w/.-]+)`", prose) if name.endswith(suffix)]
        self.start()
        if not named:
            {"cpp": self.cpp, "cmake": self.cmake, "python": self.python}[language](content)
            return
        for name in dict.fromkeys(named):
            file = self.home / name[2:] if name.startswith("~") else self.checkout / name if "/" in name else self.home / "hello" / name
            if file.exists():
                if content not in file.read_text(encoding="utf-8"):
                    raise Failed(f"{name} is another file than the page shows")
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")

    def cmake(self, content):
        """Lines for the project of a reader."""
        own = self.home / f"own{self.ran}"
        own.mkdir()
        head = "cmake_minimum_required(VERSION 3.25)\nproject(mine CXX)\nadd_executable(mine main.cpp)\n"
        content = content.replace("<address of the repository>", str(self.source)).replace("<commit>", "main")
        (own / "CMakeLists.txt").write_text(head + content)
        (own / "main.cpp").write_text((self.source / "examples/one_pair.cpp").read_text())
        self.here = own
        if "FetchContent" in content:
            # Without another clone; the test package_fetch_content compiles it
            self.run(f"cmake -B build -G Ninja -DFETCHCONTENT_SOURCE_DIR_NEARMISS={shlex.quote(str(self.checkout))}")
            if self.env["LONG"]:
                self.run("cmake --build build && build/mine")
        else:
            self.run("cmake -B build -G Ninja -DCMAKE_PREFIX_PATH=~/nearmiss-library && cmake --build build && build/mine")

    def cpp(self, content):
        """A whole program."""
        own = self.home / f"own{self.ran}"
        own.mkdir()
        (own / "main.cpp").write_text(content)
        if not (self.home / "nearmiss-library").exists():
            for line in ("cmake --preset library", "cmake --build --preset library", "cmake --install build-library --prefix ~/nearmiss-library"):
                self.run(line)
        self.here = own
        self.run("export PKG_CONFIG_PATH=~/nearmiss-library/lib/pkgconfig")
        self.run("c++ -std=c++20 main.cpp -o main $(pkg-config --cflags --libs --static nearmiss)")
        self.run("./main")

    def python(self, content):
        """Lines that use two shapes of the reader."""
        head = ("import nearmiss, numpy as np\ncube, beside = nearmiss.box([1, 1, 1]), np.eye(4)\nbeside[0, 3] = 1.5\n"
                "parts = [(cube, np.eye(4)), (cube, beside)]\n")
        file = self.home / f"own{self.ran}.py"
        file.write_text(head + content)
        self.run(f"venv/bin/python {file}")


@contextlib.contextmanager
def display():
    """Yields the name of a display, or None."""
    if not shutil.which("Xvfb"):
        yield None
        return
    read, write = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-nolisten", "tcp"], pass_fds=[write],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as numbers:
            yield ":" + numbers.readline().strip()
    finally:
        server.terminate()
        server.wait()


def main():
    arguments = [each for each in sys.argv[1:] if each != "--long"]
    source, build, work = (pathlib.Path(each).resolve() for each in arguments[:3])
    missing = [name for name in ("nearmiss", "python/nearmiss/__init__.pyi") if not (build / name).exists()]
    if missing:
        print("NOT TESTED: the pages, because the build has no", *missing)
        return 77
    pages = arguments[3:] or [page for page in PAGES if (source / page).exists()]
    with display() as name:
        ran = 0
        for page in pages:
            reader = DryRun(source, build, work, "--long" in sys.argv, name)
            try:
                reader.use(page)
            except Failed as failure:
                print(failure)
                return 1
            ran += reader.ran
    print(f"{ran} commands for {len(pages)} pages run as they stand")
    return 0


if __name__ == "__main__":
    if sys.argv[1] == "copy":
        copy(sys.argv[2])
    elif sys.argv[1] == "cmake":
        cmake(sys.argv[2:])
    else:
        sys.exit(main())
