export default {
  testDir: '/work/main/e2e',
  testMatch: 'desktop-shell.spec.ts',
  timeout: 60000,
  workers: 1,
  reporter: 'list',
  outputDir: '/tmp/shell-build/results',
}
