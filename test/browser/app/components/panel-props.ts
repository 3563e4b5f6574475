import type { TokenPermission } from '../../../generated/frontend.ts';
import type { DataLayer } from '../data-layer.ts';

export interface PanelProps {
  layer: DataLayer;
  permissions: TokenPermission[];
  signIn(): void;
  /** Called after what costs credits. */
  onSpent(): void;
}
