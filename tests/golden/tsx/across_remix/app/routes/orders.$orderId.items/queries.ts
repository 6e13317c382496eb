export const one = () => db.one();
