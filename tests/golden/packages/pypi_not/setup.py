# setup(name="commented", install_requires=["acme-common"])
TEXT = """
setup(name="quoted")
"""
print("install_requires=['x']")
