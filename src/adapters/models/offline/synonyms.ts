import { groupsByStem } from './word-groups.ts';

/**
 * Synonyms that are common in manuals, one meaning per line, folded. Unlike the concepts, they are
 * not part of the embeddings.
 */
const SYNONYMS = `
remove delete uninstall erase drop clear entfernen loschen supprimer effacer eliminar borrar quitar
disable disabled deactivate off deaktivieren abschalten ausschalten desactiver desactivar
enable enabled activate on aktivieren einschalten activer activar
least lowest small smallest minimum min mindestens kleinste niedrigste minimal minimo
most highest largest biggest maximum max hochstens grosste hochste maximal maximo
show shown list print display view see output anzeigen zeigen afficher montrer mostrar
store stored save saved keep persist speichern gespeichert enregistrer stocker guardar almacenar
folder directory verzeichnis ordner dossier repertoire carpeta directorio
kind type sort art sorte genre tipo clase
allowed accepted supported valid permitted erlaubt
broken invalid fail fails failed failure malformed ungultig
happen occur result
change modify edit alter customise customize override andern modifier cambiar
choose select pick auswahlen choisir elegir
create make generate add new erstellen creer crear
need require requires required requirement prerequisite brauchen benotigen erforderlich
limit restrict maximum cap
wait timeout idle
skip exclude omit ignore
prevent avoid block disable
run start launch execute invoke starten
stop quit end shutdown terminate stoppen arreter parar
use usage using utilize
specify define declare designate
send sent push transmit export
get obtain retrieve fetch
find locate search
combine merge join
copy duplicate clone
compile build
setting option parameter flag argument configure
`;

/** The meaning numbers of a word, by its stem. Most words have none. */
export const meaningsOf = groupsByStem(SYNONYMS);
