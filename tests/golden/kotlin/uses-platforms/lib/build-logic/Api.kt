fun api(notation: String) = notation
