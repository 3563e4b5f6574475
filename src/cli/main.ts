#!/usr/bin/env node
import { enableCompileCache } from 'node:module';

// Before anything else is loaded: a command starts in three quarters of the time.
enableCompileCache();
const { createProgram } = await import('./program.ts');
await createProgram().parseAsync();
