class UserView:
    def get(self, user_id):
        return {"id": user_id}
