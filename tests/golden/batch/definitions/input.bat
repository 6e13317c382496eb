@echo off
rem Adds two.
set TOTAL=0
call :add 1 2
goto :eof

:add
set /a TOTAL=%1+%2
exit /b
