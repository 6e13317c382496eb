#!/usr/bin/env python3
"""workspaces.py ROOT: links the packages of a JavaScript repository into its node_modules, as an installation of its workspaces would,
so that the compiler finds `import "its-own-package"`.  Nothing is downloaded."""
import json
import os
import sys


def main():
    root = sys.argv[1]
    for folder, folders, files in os.walk(root):
        folders[:] = [f for f in folders if f != "node_modules" and not f.startswith(".")]
        if "package.json" not in files:
            continue
        try:
            with open(folder + "/package.json") as f:
                name = json.load(f).get("name")
        except (OSError, ValueError, AttributeError):
            continue
        if not isinstance(name, str) or name.startswith((".", "/")) or ".." in name:
            continue
        link = "%s/node_modules/%s" % (root, name)
        os.makedirs(os.path.dirname(link), exist_ok=True)
        if not os.path.lexists(link):
            os.symlink(os.path.relpath(folder, os.path.dirname(link)), link)


main()
