import { describe, expect, it } from 'vitest'

import { decidesCode } from './code-deciding'
import { startedProgramWarnings } from './started-programs'

/** Warnings for a command line, split at blanks. */
function warningsOf(line: string): string[] {
  const [command = '', ...args] = line.split(' ')
  return startedProgramWarnings(
    command,
    args.map((value) => ({ value, shown: value })),
  )
}

const CONSEQUENCE = 'can change which code runs and what it can access.'

describe('D3: a command that starts another program than its package', () => {
  it.each([
    ['npx --package good sh -c x', '"sh" runs any program'],
    ['npx --package=good@1.0.0 sh -c x', '"sh" runs any program'],
    ['npx -y -p good node -e x', 'Options for node (-e)'],
    ['npx -p good -- bash', '"bash" runs any program'],
    ['npx -p good node --import=data:text/javascript,x', 'Options for node (--import)'],
    ['npx -p @scope/good curl https://evil.example', 'npx starts "curl"'],
    ['npx -p good /bin/good', 'npx starts "/bin/good"'],
    ['npx --unknown good -p good curl', 'npx starts "curl"'],
    ['npx --unknown -p good curl', 'npx starts "curl"'],
    ['npx -c x', 'Options for npx (-c)'],
    ['npx -y node@24 -e x', 'Options for node@24 (-e)'],
    ['npx sh -c x', '"sh" runs any program'],
    ['uvx python -c x', 'Options for python (-c)'],
    ['uvx --with good python==3.12 -Ic x', 'Options for python==3.12 (-Ic)'],
    ['env -S sh', 'Options for env (-S)'],
    ['/usr/bin/env --split-string=sh', 'Options for /usr/bin/env (--split-string)'],
    ['npx --package good --call=x', 'Options for npx (--call)'],
    ['npx.cmd -p good cmd /c x', 'npx.cmd starts "cmd"'],
    ['npx -p good cmd /c x|y', '"cmd" runs any program'],
    ['/usr/bin/npx -p good python3.12 -c x', 'Options for python3.12 (-c)'],
    ['npm exec --package good sh', '"sh" runs any program'],
    ['npm --yes exec --package=good -- sh -c x', '"sh" runs any program'],
    ['npm exec curl --package good', 'npm starts "curl"'],
    ['npm x -c x', 'Options for npm (-c)'],
    ['pnpm dlx --package good sh', '"sh" runs any program'],
    ['pnpm --package good dlx curl', 'pnpm starts "curl"'],
    ['pnpm exec sh', '"sh" runs any program'],
    ['pnpx -p good curl', 'pnpx starts "curl"'],
    ['yarn dlx -p good sh', '"sh" runs any program'],
    ['bunx -p good sh', '"sh" runs any program'],
    ['bun x --package good curl', 'bun starts "curl"'],
    ['uvx --from good sh', '"sh" runs any program'],
    ['uvx --from=good==1.2 --python 3.12 python -c x', 'Options for python (-c)'],
    ['uvx --from good[cli] curl', 'uvx starts "curl"'],
    ['uvx --from git+https://git.example/a/good.git@v1 git', 'uvx starts "git"'],
    ['uv tool run --from good sh', '"sh" runs any program'],
    ['uv --offline tool run --from good curl', 'uv starts "curl"'],
    ['uv run --with good python -Ic x', 'Options for python (-Ic)'],
    ['uv run bash x', '"bash" runs any program'],
    ['pipx run --spec good sh', '"sh" runs any program'],
    ['pipx run --spec good curl', 'pipx starts "curl"'],
    ['sh -c x', '"sh" runs any program'],
    ['/bin/bash start.sh', '"/bin/bash" runs any program'],
    ['C:\\Windows\\System32\\cmd.exe /c a&b', '"C:\\Windows\\System32\\cmd.exe" runs any program'],
    ['cmd /k npx -y good', '"cmd" runs any program'],
    ['PowerShell.exe -EncodedCommand x', '"PowerShell.exe" runs any program'],
    ['busybox wget x', '"busybox" runs any program'],
    ['node -pe x', 'Options for node (-pe)'],
    ['node --conditions x -r ./x.js server.js', 'Options for node (-r)'],
    ['python -X utf8 -c x', 'Options for python (-c)'],
    ['perl -we x', 'Options for perl (-we)'],
    ['ruby -e x', 'Options for ruby (-e)'],
    ['php -r x', 'Options for php (-r)'],
    ['deno eval x', 'Options for deno (eval)'],
    ['bun -e x', 'Options for bun (-e)'],
    ['env -u A B=1 sh -c x', '"sh" runs any program'],
    ['timeout 5 sh -c x', '"sh" runs any program'],
    ['sudo -E nice -n 5 node -e x', 'Options for node (-e)'],
    ['poetry run python -c x', 'Options for python (-c)'],
    ['mise exec node@24 -- sh', '"sh" runs any program'],
    ['docker run --rm good sh -c x', '"sh" runs any program'],
    ['docker run --entrypoint sh good', 'Options for docker (--entrypoint)'],
    ['podman container run -i good python -c x', 'Options for python (-c)'],
  ])('causes a warning: %s', (line, reported) => {
    const warnings = warningsOf(line)
    expect(warnings.filter((one) => one.startsWith(reported))).toHaveLength(1)
    for (const warning of warnings) expect(warning).toContain(CONSEQUENCE)
  })

  it('causes a warning for a line in one word', () => {
    const words = ['/c', 'npx -y good'].map((value) => ({ value, shown: value }))
    expect(startedProgramWarnings('cmd', words)).toEqual([
      expect.stringContaining('"cmd" runs any program'),
    ])
  })

  it('causes a warning with its variables', () => {
    expect(warningsOf('env NODE_OPTIONS=--import=x LOG=debug node server.js')).toEqual([
      'The variable "NODE_OPTIONS" can change which program runs. Check its value.',
    ])
  })

  it.each([
    'npx -y good --package x sh -c x',
    'npx -y @scope/good@1.0.0 bash',
    'npx -p @scope/good good',
    'npx --package=good@1 good-server --verbose',
    'npm exec -y good -- sh',
    'pnpm dlx good sh',
    'bunx good -e x',
    'uvx good sh',
    'uvx --from good good',
    'uvx --from good_thing==1 good-thing sh',
    'uvx --from git+https://git.example/a/good.git@v1 good',
    'uvx --python 3.12 --with other good',
    'uv run --directory /a server.py -c x',
    'uv run good',
    'pipx run good sh',
    'pipx run --spec good==1 good',
    'cmd /c npx -y good',
    'cmd.exe /d /s /c npx -y good',
    'node server.js -e x',
    'node --enable-source-maps dist/index.js --import x',
    'python -m good -c x',
    'python server.py -c x',
    'deno run -A npm:good eval',
    'java -jar good.jar',
    'docker run -i --rm -e TOKEN good --flag sh',
    'env LOG=debug npx -y good',
    'good-server sh -c x',
  ])('causes no warning for ordinary arguments of its server: %s', (line) => {
    expect(warningsOf(line)).toEqual([])
  })

  it('is parsed in linear time, whatever its length', () => {
    const options = Array.from({ length: 50_000 }, (_, index) => `--o${String(index)}`)
    expect(warningsOf(['npx', ...options, '-p', 'good', 'sh'].join(' '))).toHaveLength(1)
    expect(warningsOf(Array.from({ length: 50_000 }, () => 'timeout').join(' '))).toEqual([])
  })
})

describe('D3: variables that can change which code runs', () => {
  it.each([
    ...[
      'GIT_CONFIG_COUNT',
      'GIT_CONFIG_KEY_0',
      'GIT_CONFIG_GLOBAL',
      'GIT_CONFIG',
      'GIT_SSH_COMMAND',
    ],
    ...['GIT_ASKPASS', 'GIT_PROXY_COMMAND', 'GIT_TEMPLATE_DIR', 'GIT_DIR', 'GIT_EXTERNAL_DIFF'],
    ...['BUN_OPTIONS', 'BUN_CONFIG_REGISTRY', 'DENO_DIR', 'GOFLAGS', 'GOPROXY', 'GOTOOLCHAIN'],
    ...['OPENSSL_CONF', 'OPENSSL_MODULES', 'BASH_FUNC_ls%%', 'SHELLOPTS', 'PS4', 'ZDOTDIR'],
    ...['PYTHONPYCACHEPREFIX', 'PYTHONPATH', 'PYTHONSAFEPATH', 'VIRTUAL_ENV', 'CONDA_PREFIX'],
    ...['NODE_OPTIONS', 'NODE_COMPILE_CACHE', 'TS_NODE_PROJECT', 'LD_PRELOAD', 'ld_audit'],
    ...['DYLD_INSERT_LIBRARIES', 'RUBYOPT', 'GEM_PATH', 'BUNDLE_GEMFILE', 'PERL5DB', 'PERLLIB'],
    ...['JAVA_TOOL_OPTIONS', 'MAVEN_OPTS', 'GRADLE_USER_HOME', 'LUA_INIT_5_4', 'R_PROFILE_USER'],
    ...['npm_config_registry', 'UV_INDEX', 'PIP_INDEX_URL', 'POETRY_HOME', 'RUSTC_WRAPPER'],
    ...['COMPlus_Profiler', 'PSModulePath', 'LESSOPEN', 'BROWSER', 'GTK_MODULES', 'PHPRC'],
    ...['CURL_CA_BUNDLE', 'SSLKEYLOGFILE', 'GLIBC_TUNABLES', 'JULIA_LOAD_PATH', 'ERL_FLAGS'],
  ])('include %s', (name) => {
    expect(decidesCode(name)).toBe(true)
  })

  it.each([
    ...['PYTHONUNBUFFERED', 'PYTHONIOENCODING', 'PYTHONUTF8', 'NODE_ENV', 'GITHUB_TOKEN'],
    ...['GIT_AUTHOR_NAME', 'GIT_TOKEN', 'GOOGLE_API_KEY', 'GODADDY_KEY', 'LOG_LEVEL', 'API_KEY'],
    ...['ENVIRONMENT', 'PATHS', 'GOAL', 'PERLITE_KEY', 'BUNNY_KEY', 'QTY', 'PYTHON_VERSION'],
  ])('exclude %s', (name) => {
    expect(decidesCode(name)).toBe(false)
  })
})
