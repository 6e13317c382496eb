// rewrites of texts
const rewrites = [{ source: 'colour', destination: 'color' }];
