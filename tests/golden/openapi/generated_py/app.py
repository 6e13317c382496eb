from petclient.api.pet_api import PetApi


def name_of(pet_id):
    api = PetApi()
    return api.get_pet_by_id(pet_id).name


def raw(pet_id, api: PetApi):
    return api.get_pet_by_id_with_http_info(pet_id)
