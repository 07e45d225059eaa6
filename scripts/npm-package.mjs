// `npm run package:npm [-- FOLDER]`: writes the npm package `mcp-patchbay`, ready for `npm pack` or `npm publish`, into FOLDER (dist/npm by
// default).
import { join, resolve } from 'node:path'

import { wholeApp } from './kept-builds.mjs'
import { writePackage } from './npm-package/write-package.mjs'
import { ensureToolchain, ROOT, say } from './toolchain.mjs'

const folder = resolve(process.argv[2] ?? join(ROOT, 'dist', 'npm'))
ensureToolchain()
wholeApp()
const { name, version } = await writePackage(folder)
say(`Wrote ${name} ${version} to ${folder}`)
