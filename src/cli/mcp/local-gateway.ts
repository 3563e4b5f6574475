import { createClient } from '../../client/index.ts';
import type { Config } from '../../config/config.ts';
import { ConfigurationError } from '../../core/errors.ts';
import { createLog } from '../../runtime/log.ts';
import type { Admin } from '../../runtime/operator.ts';
import { startGateway } from '../../runtime/serve.ts';
import type { Remote } from '../remote/remote.ts';

/** In seconds. */
const TOKEN_LIFETIME = 86_400;

export interface LocalGateway extends Remote {
  /** Resolves when the database has failed permanently. */
  lost: Promise<ConfigurationError>;
  close(): Promise<void>;
}

/**
 * Runs a gateway in this process, on a free port of this computer.
 *
 * @param customer id or name. Default: the only customer; one is created if there is none
 * @throws ConfigurationError when it cannot start, or the customer must be named
 */
export async function openLocalGateway(
  config: Config,
  { datasetId, customer }: { datasetId: string; customer?: string | undefined },
): Promise<LocalGateway> {
  const log = createLog(config.logLevel);
  const onThisComputer = { host: '127.0.0.1', port: 0, publicUrl: undefined };
  const { app, publicUrl, stop } = await startGateway({ ...config, ...onThisComputer }, log);
  try {
    const owner = customer ?? (await onlyCustomer(app.admin));
    const options = { ttlSeconds: TOKEN_LIFETIME };
    const newToken = async () => (await app.admin.createToken(owner, datasetId, options)).token;
    let first: string | undefined = await newToken();
    // The client requests another one when the last has expired.
    const credential = async () => {
      const token = first ?? (await newToken());
      first = undefined;
      return token;
    };
    const client = createClient({ url: publicUrl, credential });
    return { url: publicUrl, client, datasetId, lost: app.lost, close: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function onlyCustomer(admin: Admin): Promise<string> {
  const [first, another] = await admin.listCustomers();
  if (another) throw new ConfigurationError('there are several customers: name one by --customer');
  if (first) return first.customerId;
  const made = await admin.createCustomer({ id: 'local', name: 'local', credits: null });
  return made.customerId;
}
