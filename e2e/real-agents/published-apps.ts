import { codexTools } from './codex-tools'
import type { PublishedApp } from './published-app'

const OWN_SERVER = '{"command":"true","args":[]}'
const MAP = `{\n  "mcpServers": {\n    "own": ${OWN_SERVER}\n  }\n}\n`
const CONTINUE = (model: string): string => `name: Own
version: 1.0.0
schema: v1
models:
  - name: none # on this computer
    provider: openai
    model: none
    apiKey: none
    apiBase: ${model}
    roles: [chat]
`
const OPENCODE = (baseURL: string): string => `{
  // mine
  "provider": {
    "own": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${baseURL}" },
      "models": { "none": {} }
    }
  },
  "mcp": {}
}
`

/** Agents available on npm that work without an account, with typical files. */
export const PUBLISHED_APPS: readonly PublishedApp[] = [
  {
    hostId: 'claude-code',
    package: { name: '@anthropic-ai/claude-code', version: '2.1.330' },
    program: '@anthropic-ai/claude-code/cli-wrapper.cjs',
    file: '.claude.json',
    files: () => ({ '.claude.json': MAP }),
    rewrites: true,
    list: ['mcp', 'list'],
    shows: /^patchbay: .* Connected$/mu,
    called: 'claude-code',
  },
  {
    hostId: 'gemini-cli',
    package: { name: '@google/gemini-cli', version: '0.61.0' },
    program: '@google/gemini-cli/bundle/gemini.js',
    file: '.gemini/settings.json',
    files: ({ work }) => ({
      '.gemini/settings.json': `// mine\n${MAP}`,
      '.gemini/installation_id': 'own',
      // In any other folder it reports every server as “Disabled”.
      '.gemini/trustedFolders.json': JSON.stringify({ [work]: 'TRUST_FOLDER' }),
    }),
    list: ['mcp', 'list'],
    shows: /✓ patchbay: .* - Connected$/mu,
    called: 'mcp-test-client',
    asksNoTools: true,
  },
  {
    hostId: 'qwen-code',
    package: { name: '@qwen-code/qwen-code', version: '0.24.4' },
    program: '@qwen-code/qwen-code/cli-entry.js',
    file: '.qwen/settings.json',
    files: () => ({ '.qwen/settings.json': `// mine\n${MAP}` }),
    rewrites: true,
    list: ['mcp', 'list'],
    shows: /✓ patchbay: .* - Connected$/mu,
    session: (run) =>
      run.say(['-p', 'Hello', '--approval-mode', 'yolo'], {
        OPENAI_BASE_URL: run.place.model,
        OPENAI_API_KEY: 'none',
        OPENAI_MODEL: 'none',
      }),
    tells: /^done$/mu,
    called: 'qwen-cli-mcp-client-patchbay',
  },
  {
    hostId: 'opencode',
    package: { name: 'opencode-ai', version: '1.18.33' },
    program: `opencode-linux-${process.arch}/bin/opencode`,
    file: '.config/opencode/opencode.json',
    files: ({ model }) => ({ '.config/opencode/opencode.json': OPENCODE(model) }),
    rewrites: true,
    list: ['mcp', 'list'],
    shows: /✓ patchbay connected$/mu,
    session: (run) => run.say(['run', '--model', 'own/none', 'Hello']),
    tells: /^done$/mu,
    offers: 'patchbay_one__echo',
    called: 'opencode',
  },
  {
    hostId: 'codex',
    package: { name: '@openai/codex', version: '0.169.0' },
    program: '@openai/codex/bin/codex.js',
    file: '.codex/config.toml',
    files: () => ({ '.codex/config.toml': 'approval_policy = "on-request" # asks first\n' }),
    list: ['mcp', 'list', '--json'],
    shows: /"name": "patchbay",\s+"enabled": true/u,
    session: codexTools,
    tells: /"one__echo"/u,
    called: 'codex-mcp-client',
  },
  {
    hostId: 'copilot-cli',
    package: { name: '@github/copilot', version: '1.0.102' },
    program: '@github/copilot/npm-loader.js',
    file: '.copilot/mcp-config.json',
    files: () => ({ '.copilot/mcp-config.json': MAP }),
    list: ['mcp', 'list'],
    shows: /^ +patchbay \(local\)$/mu,
    session: (run) =>
      run.say(['-p', 'Hello', '--allow-all-tools'], {
        COPILOT_OFFLINE: 'true',
        COPILOT_PROVIDER_BASE_URL: run.place.model,
        COPILOT_MODEL: 'none',
      }),
    tells: /^done$/mu,
    offers: 'patchbay-one__echo',
    called: 'copilot-cli',
  },
  {
    hostId: 'continue',
    package: { name: '@continuedev/cli', version: '1.5.47' },
    program: '@continuedev/cli/dist/cn.js',
    file: '.continue/config.yaml',
    files: ({ model }) => ({ '.continue/config.yaml': CONTINUE(model) }),
    session: (run) => run.say(['-p', 'Hello', '--auto']),
    tells: /done$/mu,
    offers: 'one__echo',
    called: 'continue-cli-client',
  },
  {
    hostId: 'cline',
    package: { name: 'cline', version: '3.0.65' },
    program: `@cline/cli-linux-${process.arch}/bin/cline`,
    file: '.cline/data/settings/cline_mcp_settings.json',
    files: () => ({ '.cline/data/settings/cline_mcp_settings.json': MAP }),
    list: ['config', 'mcp'],
    shows: /^ +patchbay \[stdio\]$/mu,
  },
  {
    hostId: 'amp',
    package: { name: '@ampcode/cli', version: '0.0.1790142911-g7618fb' },
    program: `@ampcode/cli-linux-${process.arch}/amp`,
    file: '.config/amp/settings.json',
    files: () => ({ '.config/amp/settings.json': '{\n  // mine\n  "amp.theme": "dark"\n}\n' }),
    list: ['mcp', 'list'],
    shows: /^ +patchbay +command /mu,
  },
]
