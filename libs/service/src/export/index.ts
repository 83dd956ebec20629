export { exportDdl, exportEntities } from './export.entity.ts';
export type { ExportSource } from './export.lists.ts';
export { ExportModule } from './export.module.ts';
