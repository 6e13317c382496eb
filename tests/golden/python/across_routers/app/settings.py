class Settings:
    PREFIX = "/v1"


settings = Settings()
