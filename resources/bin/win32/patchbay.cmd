@echo off
rem Runs the commands of Patchbay in the app's own binary.
setlocal
set NODE_OPTIONS=
set ELECTRON_RUN_AS_NODE=1
"%~dp0..\..\Patchbay.exe" "%~dp0..\app.asar\out\main\cli.js" %*
