// A bridge that requires a sign-in before it responds; it serves once the file DONE exists.
import { existsSync } from 'node:fs'

const held = []
const keep = (chunk) => held.push(chunk)
process.stdin.on('data', keep).on('end', () => process.exit(0))
console.error(
  'To sign in, use a web browser to open the page https://login.example.test/device and enter the code HJ7K-22QP to authenticate.',
)
const timer = setInterval(() => {
  if (!existsSync(process.env.DONE)) return
  clearInterval(timer)
  process.stdin.off('data', keep)
  process.stdin.pause()
  process.stdin.unshift(Buffer.concat(held))
  void import('./plain.mjs')
}, 50)
