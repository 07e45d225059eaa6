import { resolve } from 'node:path'

import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'

export default defineConfig({
  main: {
    build: {
      rollupOptions: {
        input: { index: resolve('src-main/index.ts'), cli: resolve('src-main/cli/index.ts') },
      },
    },
  },
  preload: {
    build: {
      // A sandboxed preload must be one CommonJS file with nothing to require.
      externalizeDeps: false,
      rollupOptions: {
        input: resolve('src-preload/index.ts'),
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src-renderer',
    plugins: [react(), tailwindcss()],
    build: {
      minify: true,
      // It is read from the disk of the same machine: one file is as quick as many.
      chunkSizeWarningLimit: 2_000,
      rollupOptions: { input: resolve('src-renderer/index.html') },
      // Fonts and icons stay files: a data: address would need a hole in the content security policy.
      assetsInlineLimit: 0,
    },
  },
})
