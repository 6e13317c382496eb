export function versioned(config) {
  if (config.url.startsWith('/health')) {
    return config;
  }
  return { ...config, url: `/v2${config.url}` };
}
