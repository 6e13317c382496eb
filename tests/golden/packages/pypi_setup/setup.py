from setuptools import setup, find_packages

NAME = "acme-reports"
REQUIRES = [
    "acme-common>=1.0",   # the base
    'acme-pdf==2.*',
]

def read(path):
    with open(path) as f:
        return f.read()

setup(
    name=NAME,
    version="1.2.3",
    packages=find_packages(where="src"),
    install_requires=REQUIRES,
    extras_require={"s3": ["acme-s3>=0.1"], "dev": ["pytest"]},
    setup_requires=["wheel"],
)
