import { groupsByStem } from './word-groups.ts';

/**
 * Related words in English, German, French and Spanish, one concept per line, folded. They match
 * "How heavy is it?" with "It weighs", and a German question with an English text.
 */
const CONCEPTS = `
price cost fee tariff rate expense preis kosten kostet gebuhr tarif prix cout coute frais precio coste cuesta tarifa cuota
pay payment payable zahlen bezahlen zahlung bezahlung payer paiement pagar pago
buy purchase acquire kaufen kauf erwerben acheter achat comprar compra
sell sale vendor verkaufen verkauf verkaufer vendre vente vender venta
begin start commence beginnen anfangen commencer debuter comenzar empezar
end finish expire lapse enden ablaufen terminer expirer terminar acabar caducar
cancel terminate cancellation termination kundigen kundigung stornieren annuler annulation resilier resiliation cancelar cancelacion rescindir
refund reimburse repay erstatten erstattung ruckerstattung zuruckzahlen rembourser remboursement reembolsar reembolso devolver
guarantee warranty garantie gewahrleistung garantia
battery accumulator akku batterie pile bateria pila
phone telephone mobile telefon handy anrufen telephone portable telefono movil
employee staff worker personnel mitarbeiter angestellte beschaftigte belegschaft employe salarie empleado trabajador plantilla
manager boss head leader director supervisor chef leiter leitung vorgesetzte directeur responsable jefe gerente
salary wage gehalt lohn salaire sueldo salario
holiday vacation leave urlaub ferien vacances conge vacaciones
ill sick illness sickness disease krank krankheit malade maladie enfermo enfermedad
car vehicle automobile auto fahrzeug wagen voiture vehicule coche vehiculo
bicycle bike fahrrad velo bicyclette bicicleta
flat apartment dwelling wohnung appartement logement vivienda piso
building house gebaude haus batiment immeuble maison edificio casa
rent lease rental hire miete mieten vermieten louer location loyer alquilar alquiler
population inhabitant resident einwohner bevolkerung habitant poblacion habitante
city town stadt ort ville ciudad
weight weigh heavy gewicht wiegen wiegt schwer poids peser pese lourd peso pesar pesado
height tall high altitude elevation hohe hoch hauteur altura altitud
size dimension area grosse flache taille surface superficie tamano
speed velocity fast geschwindigkeit schnell vitesse rapide velocidad rapido
temperature degree celsius temperatur grad degre temperatura grado
deadline due limit frist termin delai echeance plazo limite
contract agreement vertrag vereinbarung contrat accord contrato acuerdo
customer client kunde client cliente
supplier provider lieferant anbieter fournisseur proveedor
delivery shipping shipment dispatch lieferung versand zustellung livraison expedition entrega envio
invoice bill rechnung facture factura
tax vat steuer impot taxe impuesto iva
insurance versicherung assurance seguro
damage defect fault broken failure schaden defekt kaputt storung dommage panne defaut dano averia defecto roto
repair fix mend reparieren reparatur reparer reparation reparar reparacion arreglar
replace exchange swap ersetzen austauschen tauschen remplacer echanger reemplazar sustituir cambiar
clean wash reinigen putzen waschen nettoyer laver limpiar lavar
forbid forbidden prohibit ban verbieten verboten untersagt interdire interdit prohibir prohibido
allow permit permission erlauben erlaubt erlaubnis gestatten zulassig permettre permis autoriser autorisation permitir permiso autorizar
open opening offnen geoffnet offnungszeit ouvrir ouvert ouverture abrir abierto apertura
close closed shut schliessen geschlossen fermer ferme fermeture cerrar cerrado cierre
child kid kind kinder enfant nino nina
food meal eat essen mahlzeit repas manger nourriture comida comer
found founder foundation establish grunden grunder grundung fonder fondateur fundar fundador
write author schreiben autor verfasser ecrire auteur escribir autor
password passcode passwort kennwort contrasena
computer laptop notebook rechner ordinateur ordenador
error problem mistake fehler erreur probleme problema
meeting session conference sitzung besprechung treffen reunion
revenue turnover income umsatz einkommen revenu ingreso facturacion
profit earnings gewinn benefice beneficio ganancia
doctor physician arzt medecin medico
water wasser eau agua
electricity power strom elektrizitat electricite courant electricidad corriente
language sprache langue idioma
age old alter edad
security safety sicherheit securite seguridad
colour color farbe couleur
approve approval consent genehmigen genehmigung zustimmung zustimmen approuver approbation aprobar aprobacion consentimiento
complaint complain beschwerde reklamation plainte reclamation reclamacion queja
visitor visit guest besucher besuch gast visiteur visite visitante visita huesped
swim bathe bathing schwimmen baden nager baigner baignade nadar banarse
training course schulung ausbildung formation formacion curso
noise loud sound larm laut bruit ruido
waste rubbish garbage trash litter mull abfall dechet ordure poubelle basura residuo
duration last dauer dauern duree durer duracion durar
responsible liable liability verantwortlich haftung haftbar responsabilite responsabilidad
date day datum tag jour fecha dia
fire brand feuer incendie feu incendio fuego
accommodation hotel overnight unterkunft ubernachtung hebergement nuitee alojamiento
station railway bahnhof gare estacion
school schule ecole escuela
key schluessel schlussel cle llave
door tur tuer porte puerta
dog hund chien perro
cat katze chat gato
`;

/** The concept numbers of a word, by its stem. Most words have none. */
export const conceptsOf = groupsByStem(CONCEPTS);
