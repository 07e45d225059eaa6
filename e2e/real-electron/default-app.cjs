// In the place of Electron's own default app, which a packaged Electron lacks: `electron [-r MODULE] FOLDER` runs the app in
// FOLDER. Under any other name the program counts as packaged, and runs the app that APP names.
const { app } = require('electron')
const { readFileSync } = require('node:fs')
const { join, resolve } = require('node:path')

const given = process.argv
  .slice(1)
  .filter((arg, at, all) => !arg.startsWith('-') || all[at] === '-r')
const [first, recorder, folder] = given[0] === '-r' ? given : [undefined, undefined, given[0]]
if (first === '-r') require(recorder)
const path = resolve(app.isPackaged ? join(__dirname, '../../../app') : folder)
const { name, productName, version, desktopName, main } = JSON.parse(
  readFileSync(join(path, 'package.json'), 'utf8'),
)
app.setName(productName ?? name)
app.setVersion(version)
app.setDesktopName(desktopName)
app.setAppPath(path)
require(join(path, main))
