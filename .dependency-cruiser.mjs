/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-is-electron-free',
      severity: 'error',
      comment: 'The core must run under plain Node; wrap Electron in src-main/shell.',
      from: { path: '^src-main/core/' },
      to: {
        path: [
          '^node_modules/(@types/)?(electron|electron-store|keytar)/',
          '^(electron|electron-store|keytar)$',
        ],
      },
    },
    {
      name: 'core-knows-no-shell',
      severity: 'error',
      from: { path: '^src-main/core/' },
      to: { path: '^src-main/(shell|ipc|serve|cli|patchbay|adapters)/' },
    },
    {
      name: 'ways-in-know-no-other',
      severity: 'error',
      comment: 'What both ways in share lies in src-main/adapters.',
      from: { path: '^src-main/(serve|cli|adapters)/' },
      to: { path: '^src-main/shell/' },
    },
    {
      name: 'shared-is-a-leaf',
      severity: 'error',
      from: { path: '^src-shared/' },
      to: { path: '^src-(main|preload|renderer)/' },
    },
    {
      name: 'shared-uses-only-zod',
      severity: 'error',
      from: { path: '^src-shared/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: '^node_modules/zod/' },
    },
    {
      name: 'preload-carries-no-zod',
      severity: 'error',
      from: { path: '^src-preload/' },
      to: {
        path: '^src-(main|renderer)/|^src-shared/(?!ipc/channels)',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'renderer-has-no-node',
      severity: 'error',
      from: { path: '^src-renderer/' },
      to: {
        path: '^src-(main|preload)/|^node_modules/electron/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'renderer-has-no-builtins',
      severity: 'error',
      from: { path: '^src-renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-drawers',
      severity: 'error',
      comment: 'Put it with its concept.',
      from: { path: '^src-' },
      to: { path: '^src-.*/(utils?|helpers?|types|constants|common)(/|\\.tsx?$)' },
    },
    {
      name: 'features-do-not-reach-into-each-other',
      severity: 'error',
      from: { path: '^src-renderer/features/([^/]+)/' },
      to: { path: '^src-renderer/features/([^/]+)/', pathNot: '^src-renderer/features/$1/' },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.base.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
