export const emitter = make();
