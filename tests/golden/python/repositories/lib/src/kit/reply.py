class Reply:
    def body(self) -> str:
        return ""
