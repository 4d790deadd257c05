"""How a wheel is built with the files of templates/: setuptools runs this (pyproject.toml), the program never does."""

from setuptools.command.build_py import build_py

PACKAGE = "addin.templates"


class WithTemplates(build_py):  # type: ignore[misc]  # setuptools ships no types
    """Packs templates/ as `addin.templates`: git has one copy, and an install has no top-level folder of that name."""

    def finalize_options(self) -> None:
        """Add the folder to the packages that were found; which of its files go in is package-data."""
        super().finalize_options()
        self.packages: list[str] = [*self.packages, PACKAGE]
        self.package_dir[PACKAGE] = "templates"
