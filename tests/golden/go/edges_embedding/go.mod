module shapes
