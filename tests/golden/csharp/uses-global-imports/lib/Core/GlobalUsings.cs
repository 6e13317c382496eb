global using Acme.Settings;
global using Clock = Acme.Time.SystemClock;
