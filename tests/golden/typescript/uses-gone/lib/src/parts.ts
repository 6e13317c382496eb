export const part = 1
