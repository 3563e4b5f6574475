/**
 * Words that are not informative because they occur in most texts, in the form that `fold` returns.
 * Written for this project. A word of two languages is in both lists.
 */

/** Articles, pronouns, prepositions, auxiliaries, and the words that make a sentence a question. */
export const FUNCTION_WORDS = {
  english: `
    a about above according across after again against all almost along already also although
    always am among an and another any anybody anyone anything are around as at away be
    because been before behind being below beside between beyond both but by called can cannot
    could d did do document documents does doesn doing don done down during each either else
    enough etc even ever every everybody everyone everything exactly exist exists explain few
    file for from further had has have having he her here hers herself him himself his how
    however i if in indeed instead into is isn it its itself just know let ll many may maybe
    me mean means meant might mine more moreover most much must my myself near neither never
    no nobody nor not nothing now of off often on once one only onto or other others otherwise
    ought our ours ourselves out over own per perhaps please quite rather re s said same say
    says shall she should shouldn since so some somebody someone something sometimes sort
    still such supposed t tell text than that the their them themselves then there therefore
    these they this those though through thus to together too toward towards under unless
    until unto up upon us ve very via was wasn we well were what whatever when whenever where
    whereas wherever whether which while who whoever whom whose why will with within without
    won would wouldn yes yet you your yours yourself yourselves`,
  german: `
    ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer
    anderes anders auch auf aus bedeutet bei beide beiden beim bevor bin bis bist bitte
    brauche brauchen braucht bzw da dabei dadurch dafur dagegen daher dahin damit danach
    daneben dann daran darauf daraus darf darfst darin daruber darum darunter das dass
    dasselbe davon davor dazu dein deine deinem deinen deiner dem den denen denn der deren
    derselbe derselben des deshalb dessen dich die dies diese diesem diesen dieser dieses dir
    doch dokument dokumente dort du durch durfen ein eine einem einen einer eines einige
    einigen einiger einmal er es etwa etwas euch euer eure fur gegen gegenuber genau geschieht
    gewesen gibt hab habe haben hat hatte hatten hattest haufig heisst her hier hin hinter ich
    ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im immer in indem ins irgend ist ja jede
    jedem jeden jeder jedes jedoch jemand jene jenem jenen jener jenes jetzt kann kannst kein
    keine keinem keinen keiner keines konnen konnte konnten lautet mal man manche mancher
    manches mehr mein meine meinem meinen meiner meines meist mich mir mit mochte muss mussen
    musste nach nachdem nennt nicht nichts noch nun nur ob oder oft ohne passiert schon sehr
    sein seine seinem seinen seiner seines seit selbst sich sie sind so sobald sofern sogar
    solche solchem solchen solcher soll sollen sollte sondern sonst sowie uber um und uns
    unser unsere unserem unseren unter usw viel viele vielen vom von vor wahrend wann war
    waren warum was weg wegen weil weiter weitere welche welchem welchen welcher welches wem
    wen wenig wenige wenn wer werde werden weshalb wessen wie wieder wieso wieviel will wir
    wird wirst wo wobei wodurch wofur woher wohin wollen wollte womit worin woruber wurde
    wurden zu zum zur zwar zwischen`,
  french: `
    a afin ai ainsi alors appelle appellent apres as assez au aucun aucune aujourd aupres auquel
    aura aurait auront aussi autant autre autres aux auxquels avaient avais avait avant avec
    avez avoir avons ayant beaucoup bien c car ce ceci cela celle celles celui cependant ces
    cet cette ceux chacun chacune chaque chez ci combien comme comment contre dans de dela
    depuis des desquels dessous dessus devant doit doivent donc dont du duquel elle elles en
    encore entre es est et etaient etais etait etant ete etre eu eux existe fait faut font fut
    ici il ils j jamais je jusque l la laquelle le lequel les lesquelles lesquels leur leurs
    lors lorsque lui m ma mais me meme memes merci mes mieux moi moins mon n ne ni nomme non
    nos notre nous on ont ou par parce parmi pas pendant peu peut peuvent peux plus plutot
    pour pourquoi pouvez pouvoir pres puis puisque qu quand que quel quelle quelles quelqu
    quelque quelques quels qui quoi sa sans sauf se selon sera serai serait seront sert ses
    seulement si sien soi soient soit sommes son sont sous suis sur ta tandis tant te telle
    tels tes toi ton toujours tous tout toute toutes tres trop tu un une va vers voici voila
    vos votre vous y`,
  spanish: `
    a ademas adonde al algo alguien algun alguna algunas alguno algunos alla alli ambos ante antes
    aquel aquella aquellas aquello aquellos aqui asi aun aunque cada casi como con contra cual
    cuales cualquier cuando cuanta cuantas cuanto cuantos cuestan cuya cuyo de debe deben debo
    del desde despues donde dos durante e el ella ellas ello ellos en entonces entre era eran
    eres es esa esas ese eso esos esta estaba estaban estamos estan estar estas este esto
    estos estoy estuvieron estuvo existe fue fuera fueron fui ha haber habia habra habria hace
    hacen hacer hacia han hasta hay haya he hemos la las le les llama llaman lo los luego mas
    me mediante mi mia mientras mio mis misma mismo mismos mucha muchas mucho muchos muy nada
    nadie necesita necesito ni ningun ninguna ninguno no nos nosotros nuestra nuestras nuestro
    nuestros nunca o os otra otras otro otros para pasa pero poca pocas poco pocos podemos
    poder podria por porque puede pueden puedo pues que quien quienes se sea sean segun ser
    sera seran seria si sido siempre sin sino sirve sobre sois solo somos son soy su sus suya
    suyo tal tales tambien tampoco tan tanta tanto te tendra tendria tengo tenia ti tiene
    tienen toda todas todavia todo todos tras tu tus tuvo u un una unas uno unos usted ustedes
    vosotros y ya yo`,
};

/** Everyday verbs, adjectives and nouns, which are rarely the topic of a text. */
export const COMMON_WORDS = {
  english: `
    able add allow allowed amount answer appear apply area ask available back bad based become
    begin best better big bring call came case cause certain change clear close come comes
    common consider contain contains cost costs course current day days deal describe
    described detail different early easy eight end example fact far feel find first five
    follow following force form found four free full gave general get gets give given gives go
    goes going good got great group grow half hand happen happened happens hard held help high
    hold hour hours idea important include included includes including information interest
    keep keeps kind large last late later lead least leave left less level life like likely
    line list little live long longer look lot low made main make makes making man matter men
    minute minutes month months move name named necessary need needed needs new next nine note
    number numbers old open order part particular people person place point possible price
    prices provide provided put question reach read real reason receive related relevant
    require required requires respect result right run second section see seem seen send serve
    set seven several short show shows side similar simple single six small soon special
    specific stand start state stay stop subject take taken takes talk ten term thing things
    think third three time times today took top total try turn two type use used uses using
    usually various want way week weeks went whole wide women word words work works world year
    years young zero`,
  german: `
    allgemein alt anfang angabe antwort arbeit art befindet beginnen beginnt beispiel bekomme
    bekommen bekommt benutzen beste betragt bleiben bringen dauern dauert deutsch drei einfach
    ende erhalten erlaubt erst erste ersten fall fallen finden findet folgen folgende frage
    fragen frau frei fruh ganz geben gehen gehoren gehort geht gelten gemacht genannt
    geschehen gibt gilt gleich gross grosse grossen grund gut gute guten halten hand haus
    heissen heute hoch hohe innerhalb jahr jahre jahren kommen kommt kosten kostet kurz lang
    lange lassen leben leicht letzte letzten liegen liegt machen macht mann mensch menschen
    minute minuten moglich monat monate monaten mussen nachste nachsten name namen nehmen neu
    neue neuen nutzen ort person personen preis preise sache sagen sagt schnell sehen seite
    setzen spat stehen steht stelle stellen stunde stunden tag tage tagen teil teile text tun
    uhr unter verschieden verwenden verwendet vier voll wann weg welt wenig werk wichtig
    wissen woche wochen wort worte zahl zeigen zeit zeiten ziehen zwei`,
  french: `
    aller an annee annees ans appeler arriver autour avis bas beau besoin bon bonne bout cas cause
    chose choses cinq compter connaitre cote cours court cout coute couter demander dernier
    derniere deux devenir devoir different dire dit doivent donne donner droit effet enfin
    ensemble entier essayer etat exemple facon faire fin fois forme garder gens grand grande
    grands groupe haut heure heures homme hommes important information jour journee jours
    laisser lieu ligne long longue main mettre minute minutes mis mois moment monde montrer
    mot mots nom nombre nouveau nouvelle objet ouvrir partie passer permettre permis personne
    personnes petit petite place point porter possible pouvoir premier premiere prendre pris
    prix propre quatre question raison recevoir rendre reste rester retour rien savoir second
    semaine semaines servir seul simple sorte sortir suite suivant suivre temps tenir tenu
    tete trois trouve trouver type utilise utiliser venir vie vieux voir vouloir vrai`,
  spanish: `
    abrir alto ano anos bajo bien buen buena bueno cambio casa caso cierto cinco comenzar conocer
    consiguiente contar cosa cosas coste cuatro cuesta dar deber decir dejar dia dias
    diferente ejemplo empezar encontrar encuentra entrar estado final forma formas general
    gente gran grande grandes grupo hecho hombre hora horas importante informacion ir lado
    largo llamar llegar lleva llevar lugar manera mano mejor menor mes meses minuto minutos
    mismo modo momento mujer mundo nombre nueva nuevo numero pagina palabra parecer parte
    pasado pasar pedir pensar pequeno permite permitido persona personas poner posible precio
    preciso pregunta primer primera primero propio punto quedar querer quiere razon realizar
    recibe recibir sabe saber seguir segundo semana semanas sentir servir siguiente siguientes
    situacion tarde tener tercero tiempo tipo tomar trabajo tratar tres ultima ultimo usar uso
    valer varios veces vez vida volver`,
};
