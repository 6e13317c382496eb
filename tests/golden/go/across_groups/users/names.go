package users

const profiles = "/profiles"
