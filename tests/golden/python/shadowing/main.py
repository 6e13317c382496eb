from other import run, stop
import json


def use(run):
    run()


def keep():
    stop()
    stop = len
    stop()


def json_user(data):
    return json.dumps(data)


class Stop:
    def stop(self):
        stop()

    def both(self):
        def stop():
            pass
        stop()
        self.stop()
