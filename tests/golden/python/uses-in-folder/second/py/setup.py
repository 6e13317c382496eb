from setuptools import setup

setup(name="acme-second", version="1.0")
