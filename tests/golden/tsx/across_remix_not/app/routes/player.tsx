const player = usePlayer();
player.load('/songs/1.ogg');
image.submit(data, { method: 'post', action: '/images' });
dispatch(null, { method: 'post', action: '/users' });
const fetcher = makeFetcher();
fetcher.load('/users');
