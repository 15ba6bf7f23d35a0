public class App {
    static double parse(int turns) {
        double sum = 0;
        for (int i = 0; i < turns * 1_000_000; i++) {
            sum += Math.sqrt(i);
        }
        return sum;
    }

    public static void main(String[] arguments) {
        double sum = 0;
        for (int i = 0; i < 300; i++) {
            sum += parse(1);
        }
        System.out.println(sum);
    }
}
