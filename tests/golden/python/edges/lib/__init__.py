from .users import UserRepo as Repo, load
