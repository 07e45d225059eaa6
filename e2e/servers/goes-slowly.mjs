// Closes its pipes immediately and exits with code 3 a moment later, like a program that exits on a busy computer.
import { closeSync } from 'node:fs'

process.stderr.write('No more of this\n')
closeSync(0)
closeSync(1)
setTimeout(() => process.exit(3), 700)
