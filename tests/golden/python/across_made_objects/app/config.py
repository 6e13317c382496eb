import os
from dataclasses import dataclass

from pydantic import BaseModel


class AgentConfig(BaseModel):
    prompt_url: str
    retries: int = 3


@dataclass
class Hosts:
    users: str = "http://users"
    orders: str = "http://orders"


class Versioned:
    def __init__(self, url):
        self.url = url + "/v1"


class Later:
    def open(self, url):
        self.url = url


def load() -> AgentConfig:
    return AgentConfig(prompt_url=f"http://{os.getenv('AGENT', 'agent')}:8010/prompt")


hosts = Hosts(orders="http://orders:8080")
