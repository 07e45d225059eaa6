import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@playwright/test'
import { launchDouble } from './ways-in/double'
test('k', async () => {
  const d = mkdtempSync(join(tmpdir(), 'k-profile-'))
  const app = await launchDouble({ profileDir: d })
  process.kill(app.pid, 'SIGKILL')
  process.stdout.write(String(await app.exited()) + '\n')
  const again = await launchDouble({ profileDir: d })
  process.stdout.write(String(await again.close()) + '\n')
})
